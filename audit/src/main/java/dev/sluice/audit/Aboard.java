package dev.sluice.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The clients that run. Used by the thread of their audit. */
final class Aboard {

  private final List<AuditedClient> clients = new ArrayList<>();

  void board(Berth berth) {
    var client = berth.client().get();
    clients.add(client);
    client.start();
  }

  /** From now on each producer sends so much. */
  void keepTo(int recordsPerSecond) {
    clients.forEach(client -> client.keepTo(recordsPerSecond));
  }

  /** All at once: while one is answered, the others are not to go on. */
  void rest() throws InterruptedException {
    atOnce(AuditedClient::rest);
  }

  /** All at once; a second time does nothing. */
  void leave() throws InterruptedException {
    try {
      atOnce(AuditedClient::leave);
    } finally {
      clients.clear();
    }
  }

  private interface Order {
    void give(AuditedClient client) throws InterruptedException;
  }

  private void atOnce(Order order) throws InterruptedException {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> given = new ArrayList<>();
      for (AuditedClient client : clients) {
        given.add(
            threads.submit(
                () -> {
                  order.give(client);
                  return null;
                }));
      }
      for (Future<?> one : given) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "Expected a client to leave within its limit, found " + e.getCause(), e);
    }
  }
}
