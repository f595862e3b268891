package dev.sluice.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.ServerReading;
import dev.sluice.planner.reading.View;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A platform that would not let a server go is waited for, and its words are told. */
class ForbiddenByPlatformTest {

  private static final String WHY = "the disruption budget allows nothing now";

  @Test
  void a_server_that_its_platform_would_not_let_go_waits_and_says_why() {
    View view = forbidden(outdated(), 0, 1);

    assertThat(Planner.next(view, Memory.EMPTY, Policy.DEFAULT).sentence())
        .startsWith("hold: nothing may be done now")
        .contains("server 0 may not be restarted: " + WHY);
  }

  @Test
  void another_that_may_go_goes() {
    Plan plan = Planner.next(forbidden(outdated(), 0), Memory.EMPTY, Policy.DEFAULT);

    assertThat(plan).isInstanceOf(Plan.Act.class);
    assertThat(((Plan.Act) plan).targets()).containsOnlyKeys(1);
    assertThat(((Plan.Act) plan).blocked())
        .contains(new Blocked(0, new Block.ForbiddenByPlatform(WHY)));
  }

  @Test
  void a_platform_that_changed_its_mind_is_heard_before_the_action() {
    Plan.Act act = (Plan.Act) Planner.next(outdated(), Memory.EMPTY, Policy.DEFAULT);

    assertThat(Planner.recheck(act, forbidden(outdated(), 0, 1), Memory.EMPTY, Policy.DEFAULT))
        .contains(new Blocked(0, new Block.ForbiddenByPlatform(WHY)));
  }

  private static View outdated() {
    return SimCluster.of().brokers(0, 1).outdated(0, 1).view();
  }

  private static View forbidden(View view, int... servers) {
    TreeMap<Integer, ServerReading> readings = new TreeMap<>(view.servers());
    for (int id : servers) {
      readings.computeIfPresent(
          id,
          (_, server) ->
              new ServerReading(
                  id,
                  server.roles(),
                  server.platform().map(ForbiddenByPlatformTest::forbidden),
                  server.recovery(),
                  server.answering(),
                  server.fenced(),
                  server.configuration()));
    }
    return new View(
        view.now(),
        readings,
        view.quorum(),
        view.partitions(),
        view.reassignments(),
        view.anotherRoll());
  }

  private static PlatformReading forbidden(PlatformReading reading) {
    return new PlatformReading(
        reading.phase(),
        reading.since(),
        reading.ready(),
        reading.why(),
        reading.revisionRunning(),
        reading.revisionDesired(),
        reading.asked(),
        Optional.of(WHY));
  }
}
