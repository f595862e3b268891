/**
 * The books of an audit, and its verdict. Pure: no Kafka, no clock, no thread of its own.
 *
 * <p>Every record carries a {@link dev.sluice.audit.ledger.Stamp}: who wrote it, and its number. A
 * {@link dev.sluice.audit.ledger.WrittenLedger} keeps what one producer sent and what was
 * acknowledged to it; a {@link dev.sluice.audit.ledger.SeenLedger} keeps what one reader saw of
 * that producer. The audit itself reads everything once more at the end, as a witness: what was
 * acknowledged and the witness never saw is lost, what it saw twice is duplicated, what it saw
 * behind a later record of the same partition is reordered. What the witness saw and a reader never
 * did, that reader lost.
 *
 * <p>What a client was made to notice (exceptions, cancelled requests, lines in its log, pauses) is
 * kept in {@link dev.sluice.audit.ledger.Occurrences}. Everything is told by {@link
 * dev.sluice.audit.ledger.Window}: what happens anyway, and what happens during an event. {@link
 * dev.sluice.audit.ledger.Limits} turn a report into a {@link dev.sluice.audit.ledger.Verdict}.
 *
 * <p>Memory is bounded: one bit per record and book, at most {@link
 * dev.sluice.audit.ledger.SequenceSet#MOST_RECORDS}.
 */
@NullMarked
package dev.sluice.audit.ledger;

import org.jspecify.annotations.NullMarked;
