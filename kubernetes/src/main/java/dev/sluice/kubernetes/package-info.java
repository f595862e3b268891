/**
 * Rolls servers that are pods. Three layers, and nothing here decides what is restarted: the
 * planner does.
 *
 * <ul>
 *   <li><em>Facts</em>: {@link dev.sluice.kubernetes.PodFacts}, {@link
 *       dev.sluice.kubernetes.OwnerFacts}, {@link dev.sluice.kubernetes.BudgetFacts} are plain
 *       records of what the API server says, and {@link dev.sluice.kubernetes.PodReading} is the
 *       pure function from them to what the planner reads.
 *   <li><em>The API</em>: {@link dev.sluice.kubernetes.Api} makes plain requests, old enough for
 *       every API server since 1.20, each within a bound; a refusal names the permission that is
 *       missing.
 *   <li><em>Acting</em>: {@link dev.sluice.kubernetes.KubernetesPlatform} evicts or deletes one
 *       pod, named by its uid; {@link dev.sluice.kubernetes.RollLease} is the right to do so, one
 *       for each Kafka cluster.
 * </ul>
 *
 * <p>Every look lists pods, owners and budgets anew: a decision rests on what the API server says
 * at that time, never on a cache of which nobody knows how old it is. A watch only wakes those who
 * wait.
 */
@NullMarked
package dev.sluice.kubernetes;

import org.jspecify.annotations.NullMarked;
