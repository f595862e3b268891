/**
 * A reload, decided by pure functions: what changes, by which way, and what follows from what comes
 * of it.
 *
 * <p>{@link dev.sluice.lifecycle.reload.Comparison} holds the asked {@link
 * dev.sluice.lifecycle.reload.Blueprint}s against what is actually running and makes a {@link
 * dev.sluice.lifecycle.reload.ReloadPlan}: what kind of change for each virtual cluster. {@link
 * dev.sluice.lifecycle.reload.Reload} takes the plan through preparing, committing and switching;
 * each cluster has a {@link dev.sluice.lifecycle.reload.Course} of its own, and {@link
 * dev.sluice.lifecycle.reload.WayChoice} says by which way it switches. {@link
 * dev.sluice.lifecycle.reload.Line} keeps reloads apart: one at a time, and of those that wait the
 * newest runs.
 *
 * <p>What a single cluster does meanwhile is its own life's affair: {@link
 * dev.sluice.lifecycle.Lifecycle} decides that, and {@link dev.sluice.lifecycle.reload.ReloadFacts}
 * reads from its steps what a reload has to know.
 */
@NullMarked
package dev.sluice.lifecycle.reload;

import org.jspecify.annotations.NullMarked;
