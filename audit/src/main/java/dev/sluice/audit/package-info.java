/**
 * Load through any bootstrap address, and the proof of what became of it.
 *
 * <p>{@link dev.sluice.audit.Audit} makes topics of its own, runs the clients of a {@link
 * dev.sluice.audit.Fleet} on them and keeps a book of each. Java clients run in this JVM; clients
 * in other languages are child processes that speak {@link dev.sluice.audit.ChildProtocol}. When
 * the load has ended, a {@link dev.sluice.audit.Witness} reads every topic from its beginning, and
 * the books are compared.
 *
 * <p>Clients are observed from outside: by what they answer and throw, and by their own log, which
 * comes through a {@link dev.sluice.audit.LogSource}. No client is changed or slowed for it.
 *
 * <p>The audit knows nothing of what stands behind the address. Each client has one thread or one
 * process; the caller's thread moves the audit from window to window.
 */
@NullMarked
package dev.sluice.audit;

import org.jspecify.annotations.NullMarked;
