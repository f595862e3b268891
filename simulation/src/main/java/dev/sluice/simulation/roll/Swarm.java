package dev.sluice.simulation.roll;

import dev.sluice.planner.Durations;
import dev.sluice.planner.Patience;
import dev.sluice.planner.Policy;
import dev.sluice.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What goes wrong in one world. Not everything in each: a fault that hides another would hide it
 * always.
 */
record Swarm(
    int controllers,
    int combined,
    int brokers,
    boolean crashes,
    boolean longOutages,
    boolean slowRecoveries,
    boolean silentAgents,
    boolean silentPlatforms,
    boolean silentCluster,
    boolean topicsComeAndGo,
    boolean reassignments,
    boolean badRevisions,
    boolean stuckRevisions,
    boolean refusedChanges,
    boolean followersLag,
    boolean votersLag,
    boolean slowStarts,
    boolean rollerCrashes,
    boolean looksTwice,
    Policy policy) {

  static final Patience PATIENCE =
      new Patience(
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofSeconds(120),
          Duration.ofSeconds(5),
          Duration.ofSeconds(180),
          Duration.ofSeconds(30),
          Duration.ofSeconds(3),
          Duration.ofSeconds(600));

  static Swarm by(Chance chance) {
    boolean separate = chance.onceIn(2);
    return new Swarm(
        separate ? chance.oneOf(List.of(1, 2, 3, 3, 3, 5)) : 0,
        separate ? 0 : chance.oneOf(List.of(1, 2, 3, 3, 3, 4)),
        separate ? chance.between(2, 6) : chance.between(0, 3),
        !chance.onceIn(3),
        chance.onceIn(3),
        chance.onceIn(3),
        chance.onceIn(2),
        chance.onceIn(3),
        chance.onceIn(3),
        chance.onceIn(2),
        chance.onceIn(3),
        chance.onceIn(4),
        chance.onceIn(12),
        chance.onceIn(8),
        chance.onceIn(2),
        chance.onceIn(2),
        chance.onceIn(4),
        chance.onceIn(2),
        chance.onceIn(2),
        new Policy(
            PATIENCE,
            chance.between(1, 4),
            chance.onceIn(3) ? 1 : 0,
            3,
            3,
            chance.onceIn(3),
            Set.of(),
            Set.of(),
            List.of(),
            Durations.DEFAULT));
  }

  int servers() {
    return controllers + combined + brokers;
  }
}
