package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.audit.Audit;
import dev.sluice.audit.Load;
import dev.sluice.audit.ReportTable;
import dev.sluice.audit.Selection;
import dev.sluice.audit.ledger.AuditReport;
import dev.sluice.audit.ledger.Lap;
import dev.sluice.audit.ledger.Limits;
import dev.sluice.audit.ledger.Measure;
import dev.sluice.audit.ledger.Window;
import dev.sluice.embedded.ClusterPlan;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.embedded.FreePorts;
import dev.sluice.protocol.Endpoint;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A virtual cluster is reloaded under load; its clients hardly notice, its neighbour does not. */
@ExtendWith(KafkaCluster.class)
class ReloadIT {

  private static final Selection ALL =
      Selection.parse(
          "java-plain,java-idempotent,java-transactional,java-classic,java-consumer,java-streams");
  private static final Selection SOME = Selection.parse("java-plain,java-classic");

  /** What applications may see of a handover is looked at by kind. */
  private static final Limits LIMITS = Limits.DEFAULT.with(Measure.EXCEPTIONS, Long.MAX_VALUE);

  /** The callback of an asynchronous commit, whose connection ended: it says that one may retry. */
  private static final String COMMITTED_LATER = "exceptions: RetriableCommitFailedException.*";

  /**
   * The consumer of KIP-848 (4.4.0) looks on one thread whether it may set its position, and sets
   * it, while another begins to validate that since its leader has another address. Polled again it
   * reads on where it was.
   */
  private static final String POSITION_RACE =
      "exceptions: IllegalStateException: Cannot set a new position without a valid .*";

  /** What a client says that found a port closed. */
  private static final String REFUSED = "could not be established";

  /** Of the neighbour nothing at all may end. */
  private static final Limits NOTHING =
      Limits.DEFAULT
          .with(Measure.REBOOTSTRAPS, 0)
          .with(Measure.CANCELLED, 0)
          .with(Measure.DISCONNECTS, 0)
          .with(Measure.ERRORS, 0);

  /** Records of each producer that pass after a reload before the next. */
  private static final int RECORDS_BETWEEN = Load.DEFAULT.recordsPerSecond() / 2;

  /** Records that are moved between a move and another reload. */
  private static final int MOVED_BETWEEN = 150;

  @Test
  void reloads_in_place_and_by_handover_and_bad_ones_lose_repeat_and_reorder_nothing(
      EmbeddedCluster kafka) throws Exception {
    alternate(kafka, 5, SOME, _ -> () -> {});
  }

  @Test
  @Tag("acceptance")
  void a_hundred_reloads_lose_repeat_and_reorder_nothing(EmbeddedCluster kafka) throws Exception {
    alternate(kafka, 50, ALL, _ -> () -> {});
  }

  @Test
  @Tag("acceptance")
  void a_hundred_reloads_of_all_three_kinds_lose_repeat_and_reorder_nothing(EmbeddedCluster kafka)
      throws Exception {
    try (var elsewhere = EmbeddedCluster.start(ClusterPlan.combined(1))) {
      MovingLoad.makeTopic(kafka, 3);
      MovingLoad.makeTopic(elsewhere, 1);
      alternate(kafka, 34, SOME, stage -> new Moves(stage, kafka, elsewhere));
    } finally {
      MovingLoad.removeTopic(kafka);
    }
  }

  /** What is done after each pair of reloads. */
  private interface Beside extends AutoCloseable {
    void next() throws Exception;

    /** All of it came to what it should. */
    default void assertWell() throws InterruptedException {}

    @Override
    default void close() {}
  }

  /** A cluster of its own goes from one Kafka cluster to the other, under load. */
  private static final class Moves implements Beside {
    private final ReloadStage stage;
    private final EmbeddedCluster here;
    private final EmbeddedCluster elsewhere;
    private final MovingLoad load;
    private int moves;

    Moves(ReloadStage stage, EmbeddedCluster here, EmbeddedCluster elsewhere) {
      this.stage = stage;
      this.here = here;
      this.elsewhere = elsewhere;
      this.load = new MovingLoad(new Clients(stage.proxy().bootstrapServers(ReloadStage.MOVING)));
    }

    @Override
    public void next() throws Exception {
      load.awaitAcknowledged(MOVED_BETWEEN);
      stage.moveTo(moves++ % 2 == 0 ? elsewhere : here);
      load.awaitAcknowledged(MOVED_BETWEEN);
    }

    @Override
    public void assertWell() throws InterruptedException {
      load.assertEachOnce(moves, here, elsewhere);
    }

    @Override
    public void close() {
      load.close();
    }
  }

  /** So many of each kind, one after the other; at the end the proxy is as after the first. */
  private static void alternate(
      EmbeddedCluster kafka, int ofEach, Selection neighbours, Function<ReloadStage, Beside> others)
      throws Exception {
    try (var buffers = LiveBuffers.counted();
        var stage = new ReloadStage(kafka)) {
      stage.proxy().awaitServing();
      stage.changeInPlace();
      var first = Usage.afterOneClient(stage.proxy(), stage.bootstrap(), buffers);
      try (var audits = Audits.start(stage.proxy(), ALL, neighbours)) {
        audits.awaitLoad(RECORDS_BETWEEN);
        refuse(stage, audits.orders());
        try (var beside = others.apply(stage)) {
          reload(stage, audits, beside, ofEach, buffers);
          beside.assertWell();
        }
        assertClean(audits.orders().finish(), LIMITS);
        assertClean(audits.neighbour().finish(), NOTHING);
      }
      first.awaitAgain(stage.proxy(), buffers);
      System.out.println("AT THE END AS AFTER THE FIRST: " + first);
    }
  }

  private static void reload(
      ReloadStage stage, Audits audits, Beside beside, int ofEach, LiveBuffers buffers)
      throws Exception {
    audits.orders().enter(Window.EVENT);
    audits.neighbour().enter(Window.EVENT);
    double ended = stage.disconnects(ReloadStage.NEIGHBOUR);
    var sockets = stage.neighbourSockets();
    assertThat(sockets).isNotEmpty();
    try (var arrivals = new Arrivals(stage.bootstrap());
        var whoKnowsOldPorts = new Arrivals(stage.firstNodeAtFirst())) {
      change(stage, audits, beside, ofEach / 2);
      var half = Usage.of(stage.proxy(), buffers);
      change(stage, audits, beside, ofEach - ofEach / 2);
      var end = Usage.of(stage.proxy(), buffers);
      System.out.println("UNDER LOAD AT HALF: " + half + ", AT THE END: " + end);
      half.assertNoLessThan(end);
      arrivals.assertAllAnswered();
      whoKnowsOldPorts.assertAllAnswered();
    }
    assertThat(stage.neighbourSockets()).as("neighbour's sockets").containsAll(sockets);
    assertThat(stage.disconnects(ReloadStage.NEIGHBOUR)).as("neighbour's").isEqualTo(ended);
  }

  private static void change(ReloadStage stage, Audits audits, Beside beside, int ofEach)
      throws Exception {
    for (int i = 0; i < ofEach; i++) {
      stage.changeInPlace();
      audits.awaitLoad(RECORDS_BETWEEN);
      stage.changeByHandover();
      audits.awaitLoad(RECORDS_BETWEEN);
      beside.next();
    }
  }

  /** What cannot be prepared is noticed by nobody but whoever sent it. */
  private static void refuse(ReloadStage stage, Audit audit) throws Exception {
    var orders = stage.orders();
    var usual = audit.lap();
    double ended = stage.disconnects(ReloadStage.ORDERS);
    int taken = FreePorts.inARow(3);
    var busy = Reloads.withNodesFrom(orders, taken);
    try (var _ = new ServerSocket(taken + 1, 1, InetAddress.getLoopbackAddress())) {
      stage.assertRefused(busy, "port " + (taken + 1));
    }
    var throwing = orders.withFilters(List.of(new Throwing().spec()));
    stage.assertRefused(throwing, Throwing.WHY);
    var nowhere = List.of(new Endpoint("nowhere.invalid", 9092));
    stage.assertRefused(Reloads.withServers(orders, nowhere), "nowhere.invalid");
    Audits.awaitLoad(audit, RECORDS_BETWEEN);
    assertThat(stage.disconnects(ReloadStage.ORDERS)).as("ended connections").isEqualTo(ended);
    assertThat(beyond(usual, audit.lap())).as("what clients noticed of refused ones").isEmpty();
    stage.takeOver(busy);
    Audits.awaitLoad(audit, RECORDS_BETWEEN);
  }

  /** What clients noticed and had not before: transactions make them warn at all times. */
  private static List<String> beyond(Map<String, Lap> usual, Map<String, Lap> now) {
    return now.entrySet().stream()
        .flatMap(
            lap ->
                lap.getValue().kinds().keySet().stream()
                    .filter(
                        kind ->
                            !kind.startsWith(Measure.WARNINGS.shown())
                                || (!of(usual, lap.getKey()).kinds().containsKey(kind)
                                    && !Unnoticed.isUsual(lap.getKey(), kind)))
                    .map(kind -> lap.getKey() + ": " + kind))
        .toList();
  }

  private static Lap of(Map<String, Lap> laps, String client) {
    return laps.getOrDefault(client, new Lap(Collections.emptySortedMap(), Duration.ZERO));
  }

  private static void assertClean(AuditReport report, Limits limits) {
    var verdict = limits.judge(report);
    var table = String.join("\n", ReportTable.lines(report, verdict));
    System.out.println(table);
    assertThat(verdict.breaches()).as(table).isEmpty();
    for (var client : report.clients()) {
      var noticed = client.windows().get(Window.EVENT);
      assertThat(noticed == null ? Set.<String>of() : noticed.kinds().keySet())
          .as("what %s noticed", client.client())
          .noneMatch("cancelled: PRODUCE"::equals)
          .noneMatch(kind -> kind.contains(REFUSED))
          .allMatch(kind -> !kind.startsWith("exceptions") || isOfClient(client.client(), kind));
    }
  }

  private static boolean isOfClient(String client, String kind) {
    return kind.matches(COMMITTED_LATER)
        || (client.equals("java-consumer") && kind.matches(POSITION_RACE));
  }
}
