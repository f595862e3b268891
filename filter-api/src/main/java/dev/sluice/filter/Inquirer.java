package dev.sluice.filter;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * Asks the Kafka cluster behind a virtual cluster something on a filter's own account, over a
 * connection of the filter's own: no client's connection, order or count has anything to do with
 * it. Safe from every thread.
 *
 * <p>Questions go to one of the bootstrap servers, unauthenticated, and pass no filter; answers
 * come as the broker gave them, with the brokers' own addresses and all names. What only some other
 * broker can answer (a partition's leader, a coordinator) is refused by Kafka's error codes.
 *
 * <p>At most {@link #MAX_OPEN} questions of a filter are open at a time; each may take as long as
 * the filter itself may, by the {@code timeLimit} of its definition. Those that are open when the
 * filter has been closed fail.
 */
@FunctionalInterface
public interface Inquirer {

  /** Bound on the questions of one filter that are not answered yet. */
  int MAX_OPEN = 64;

  /** Of a filter that stands nowhere: every question fails. */
  Inquirer NOBODY =
      (_, _) ->
          CompletableFuture.failedStage(
              new IOException("expected a Kafka cluster that can be asked, found none"));

  /**
   * Asks.
   *
   * @param request of an API that has an answer; read before this returns
   * @param version in which it is written, and answered; which ones the brokers have, an
   *     ApiVersions request tells
   * @return the answer. It comes on a thread that must not be blocked. Fails with an {@link
   *     IOException} if no broker can be reached, one closes the connection, or none answers in
   *     time; with an {@link IllegalArgumentException} if it is no such request.
   */
  CompletionStage<ApiMessage> ask(ApiMessage request, short version);
}
