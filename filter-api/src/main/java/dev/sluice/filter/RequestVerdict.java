package dev.sluice.filter;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.protocol.ApiMessage;

/** What becomes of a request. */
public sealed interface RequestVerdict permits Forward, Answer, Close {

  /** It goes on to the next filter, or to the broker: changed or not. */
  static CompletionStage<RequestVerdict> forward(ApiMessage request) {
    return CompletableFuture.completedFuture(new Forward(request));
  }

  /**
   * The broker never sees it: this is the response. It must be of the request's API, and is written
   * in its version.
   */
  static CompletionStage<RequestVerdict> answer(ApiMessage response) {
    return CompletableFuture.completedFuture(new Answer(response));
  }

  /**
   * The connection ends, as if the broker had closed it: clients come back and repeat.
   *
   * @param why a sentence for the log
   */
  static CompletionStage<RequestVerdict> close(String why) {
    return CompletableFuture.completedFuture(new Close(why));
  }
}
