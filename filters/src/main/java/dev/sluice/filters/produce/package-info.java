/**
 * Records that do not follow the rules never reach a broker.
 *
 * <p>{@link dev.sluice.filters.produce.ProduceValidationFactory} says what can be asked for. A
 * partition with a record that breaks a rule is taken out of its request and refused as brokers
 * refuse invalid records, which tells the producer which record it was and why; the others go on.
 */
@NullMarked
package dev.sluice.filters.produce;

import org.jspecify.annotations.NullMarked;
