/**
 * What was seen, as values. A {@link dev.sluice.planner.reading.View} holds every fact of one
 * observation: of each server what its platform, its registration and its recovery say; of the
 * cluster its metadata quorum, its partitions and the reassignments under way. A fact stands alone:
 * it is known, with the instant at which it was taken, or it is missing, with the reason why.
 *
 * <p>Nothing here decides anything, and nothing here can be told from looking whether it is good or
 * bad news.
 */
@NullMarked
package dev.sluice.planner.reading;

import org.jspecify.annotations.NullMarked;
