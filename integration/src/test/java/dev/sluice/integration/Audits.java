package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.audit.Audit;
import dev.sluice.audit.AuditPlan;
import dev.sluice.audit.LogbackSource;
import dev.sluice.audit.Selection;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Load, and the books of it, on the virtual cluster that is changed and on its neighbour.
 *
 * @param orders of the one that is changed
 * @param neighbour of the one that is not
 */
record Audits(Audit orders, Audit neighbour) implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** At least so many producers keep to their rate, however full the machine is. */
  private static final int PRODUCERS = 3;

  /** All are warm when this comes back. */
  static Audits start(RunningProxy proxy, Selection ofOrders, Selection ofNeighbour)
      throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var orders = threads.submit(() -> warm(proxy, ReloadStage.ORDERS, ofOrders));
      var neighbour = threads.submit(() -> warm(proxy, ReloadStage.NEIGHBOUR, ofNeighbour));
      try {
        return new Audits(orders.get(), neighbour.get());
      } catch (ExecutionException e) {
        close(orders);
        close(neighbour);
        throw e;
      }
    }
  }

  private static void close(Future<Audit> started) throws InterruptedException {
    try {
      started.get().close();
    } catch (ExecutionException _) {
      // It was never there.
    }
  }

  private static Audit warm(RunningProxy proxy, String name, Selection clients)
      throws InterruptedException {
    var plan = AuditPlan.of(proxy.bootstrapServers(name)).withClients(clients);
    var audit = Audit.start(plan, new LogbackSource());
    assertThat(audit.awaitWarm(told -> System.out.println(name + ": " + told)))
        .as("clients of %s", name)
        .isEmpty();
    return audit;
  }

  /** Until so many more records of each producer have been sent. */
  void awaitLoad(int records) {
    awaitLoad(orders, records);
  }

  static void awaitLoad(Audit audit, int records) {
    long enough = audit.sent() + (long) records * PRODUCERS;
    await("load").atMost(PATIENCE).until(audit::sent, sent -> sent >= enough);
  }

  @Override
  public void close() {
    orders.close();
    neighbour.close();
  }
}
