package dev.sluice.filter;

import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * Sees what it wants of the requests and responses of one virtual cluster; see the package for its
 * life and threads.
 *
 * <p>A request or response may be changed in place or replaced. It belongs to the filter until the
 * stage that was returned is complete; nothing of it, records in particular, may be kept longer
 * without a copy.
 */
public interface Filter extends AutoCloseable {

  /** What it sees. Asked once, after {@link #initialize()}; the answer holds for its life. */
  Wanted wanted();

  /**
   * Acquires what it needs. May block; runs on a thread of its own and within a time limit. The old
   * configuration, if there is one, serves meanwhile.
   *
   * @throws Exception with a message for people: what was expected, what was found, what to do. The
   *     virtual cluster is not set up, or keeps its old configuration.
   */
  default void initialize() throws Exception {}

  /**
   * A request that is wanted, on its way to the broker. Must not block.
   *
   * <p>An exception, thrown or in the stage, or a stage that takes longer than the time limit, ends
   * the connection: a request that a filter could not judge is not forwarded.
   */
  default CompletionStage<RequestVerdict> onRequest(Exchange exchange, ApiMessage request) {
    return RequestVerdict.forward(request);
  }

  /**
   * A response that is wanted, on its way to the client: the broker's, one of a filter nearer to
   * the broker, or the proxy's own. Must not block. Of a response that the proxy drops, since it
   * has answered before, nothing is seen.
   *
   * <p>An exception, thrown or in the stage, or a stage that takes longer than the time limit, ends
   * the connection.
   *
   * @param exchange the one that {@link #onRequest} got if the request was wanted too
   */
  default CompletionStage<ResponseVerdict> onResponse(Exchange exchange, ApiMessage response) {
    return ResponseVerdict.forward(response);
  }

  /** Lets go of everything. Called exactly once. */
  @Override
  default void close() {}
}
