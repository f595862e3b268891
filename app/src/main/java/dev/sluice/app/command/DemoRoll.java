package dev.sluice.app.command;

import dev.sluice.app.configuration.ConfigurationSchema;
import dev.sluice.app.configuration.RollConfiguration;
import dev.sluice.app.configuration.RollFile;
import dev.sluice.app.configuration.RollFile.Outcome.Accepted;
import dev.sluice.app.configuration.RollFile.Outcome.Rejected;
import dev.sluice.app.run.Playground;
import dev.sluice.app.run.PlaygroundRoll;
import dev.sluice.app.run.RollListeners;
import dev.sluice.app.run.RunningRoll;
import dev.sluice.planner.Plan;
import dev.sluice.planner.reading.Fact.Known;
import dev.sluice.planner.reading.QuorumReading;
import dev.sluice.roller.Look;
import dev.sluice.roller.Outcome;
import dev.sluice.roller.RollListener;
import dev.sluice.roller.RollReport;
import dev.sluice.roller.RollScribe;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Rolls the Kafka cluster behind the proxy, and looks whether it went as it should. */
final class DemoRoll {

  /** Short, for somebody who watches; everything that makes a server steady is waited for. */
  private static final Duration STEADY_HOLD = Duration.ofSeconds(3);

  private static final String REASON = "new certificates";

  private DemoRoll() {}

  /** Whether every server was restarted once, alone, and the active controller last. */
  static boolean play(DemoStage stage) throws InterruptedException {
    var file = PlaygroundRoll.write(stage.kafka(), STEADY_HOLD);
    stage.tell("$ sluice roll run -c " + file + " --reason '" + REASON + "'");
    try (var running = RunningRoll.open(configuration(file))) {
      var scribe = new RollScribe();
      var order = new Order();
      var progress = new RollProgress(stage.terminal());
      var wish =
          new RunningRoll.Wish(
              Optional.of(REASON), Set.of(), Optional.empty(), Optional.empty(), false);
      var outcome =
          running.run(wish, new RollListeners(List.of(scribe, order, progress)), (_, _, _) -> {});
      var report = scribe.current().orElseThrow().report();
      stage.tell("");
      RollTable.of(report).forEach(stage::tell);
      stage.tell(outcome.sentence());
      return judged(stage, outcome, report, order);
    } catch (IOException e) {
      stage.tell(String.valueOf(e.getMessage()));
      return false;
    }
  }

  private static boolean judged(DemoStage stage, Outcome outcome, RollReport report, Order order) {
    boolean once = order.batches.size() == Playground.SERVERS && order.alone();
    if (once && order.activeLast()) {
      stage.tell(
          "Each once, one at a time; server %d, the active controller, last."
              .formatted(order.batches.getLast().servers().iterator().next()));
    } else {
      stage.tell(
          "Expected each server once and the active controller last, found " + order.batches);
    }
    return outcome instanceof Outcome.Finished
        && once
        && order.activeLast()
        && report.starved().isEmpty();
  }

  private static RollConfiguration configuration(Path file) {
    var outcome = new RollFile(ConfigurationSchema.loadRoll(), _ -> Optional.empty()).read(file);
    return switch (outcome) {
      case Accepted(var configuration, _) -> configuration;
      case Rejected(var findings) ->
          throw new IllegalStateException(
              "Expected a valid configuration of the roll, found " + findings);
    };
  }

  /** In which order servers were restarted, and who was the active controller each time. */
  private static final class Order implements RollListener {

    private final List<Batch> batches = new ArrayList<>();
    private OptionalInt active = OptionalInt.empty();

    private record Batch(Set<Integer> servers, OptionalInt active) {

      boolean takesActive() {
        return active.isPresent() && servers.contains(active.getAsInt());
      }
    }

    @Override
    public void decided(Look look, Plan plan) {
      if (look.view().quorum() instanceof Known<QuorumReading>(var quorum, _)) {
        active = quorum.leader();
      }
    }

    @Override
    public void acting(Plan.Act act) {
      batches.add(new Batch(Set.copyOf(act.targets().keySet()), active));
    }

    boolean alone() {
      return batches.stream().allMatch(batch -> batch.servers().size() == 1)
          && batches.stream().map(Batch::servers).distinct().count() == batches.size();
    }

    boolean activeLast() {
      return !batches.isEmpty()
          && batches.getLast().takesActive()
          && batches.stream().filter(Batch::takesActive).count() == 1;
    }
  }
}
