package dev.sluice.planner;

import dev.sluice.planner.reading.Fact.Known;
import dev.sluice.planner.reading.Fact.Missing;
import dev.sluice.planner.reading.Partitions;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.Reassignments;
import dev.sluice.planner.reading.ServerReading;
import dev.sluice.planner.reading.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Everything outside a server that may forbid its restart. */
final class Safety {

  private final View view;
  private final QuorumSafety quorum;
  private final Optional<PartitionSafety> partitions;

  Safety(
      View view,
      Map<Integer, Assessment> servers,
      QuorumSafety quorum,
      int margin,
      Set<Integer> assumedBack) {
    this.view = view;
    this.quorum = quorum;
    this.partitions =
        view.partitions() instanceof Known<Partitions>(Partitions read, _)
            ? Optional.of(new PartitionSafety(read, servers, margin, assumedBack))
            : Optional.empty();
  }

  Optional<PartitionSafety> partitions() {
    return partitions;
  }

  /** Why each of these, alone, may not be restarted now; an empty list for those that may. */
  SortedMap<Integer, List<Block>> blocks(List<Assessment> candidates) {
    List<Integer> brokers =
        candidates.stream()
            .filter(Safety::takesAway)
            .filter(Assessment::broker)
            .map(Assessment::server)
            .toList();
    SortedMap<Integer, List<Block>> byPartitions =
        brokers.isEmpty()
            ? new TreeMap<>()
            : partitions.map(known -> known.blocks(brokers)).orElseGet(TreeMap::new);
    SortedMap<Integer, List<Block>> blocks = new TreeMap<>();
    for (Assessment server : candidates) {
      List<Block> own = new ArrayList<>();
      forbidden(server).ifPresent(own::add);
      if (takesAway(server)) {
        quorum.block(server).ifPresent(own::add);
        if (server.broker()) {
          reassigned(server).ifPresent(own::add);
          unseen().ifPresent(own::add);
          own.addAll(byPartitions.getOrDefault(server.server(), List.of()));
        }
      }
      blocks.put(server.server(), own);
    }
    return blocks;
  }

  /** What does not run can only bring something back. */
  private static boolean takesAway(Assessment server) {
    return !(server.condition() instanceof Condition.NotRunning);
  }

  private Optional<Block> forbidden(Assessment server) {
    ServerReading reading = view.servers().get(server.server());
    return reading != null
            && reading.platform() instanceof Known<PlatformReading>(PlatformReading platform, _)
        ? platform.forbidden().map(Block.ForbiddenByPlatform::new)
        : Optional.empty();
  }

  private Optional<Block> reassigned(Assessment server) {
    return switch (view.reassignments()) {
      case Missing<Reassignments>(String why) ->
          Optional.of(new Block.BeingReassigned("whether there are any is not known: " + why));
      case Known<Reassignments>(Reassignments under, _) ->
          Optional.ofNullable(under.byServer().get(server.server()))
              .map(Block.BeingReassigned::new);
    };
  }

  private Optional<Block> unseen() {
    return switch (view.partitions()) {
      case Missing<Partitions>(String why) -> Optional.of(new Block.PartitionsUnknown(why));
      case Known<Partitions> _ -> Optional.empty();
    };
  }
}
