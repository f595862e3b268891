package dev.sluice.filter;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.protocol.ApiMessage;

/** What becomes of a response. */
public sealed interface ResponseVerdict permits Forward, Close {

  /** It goes on to the next filter, or to the client: changed or not. */
  static CompletionStage<ResponseVerdict> forward(ApiMessage response) {
    return CompletableFuture.completedFuture(new Forward(response));
  }

  /**
   * The connection ends, as if the broker had closed it: clients come back and repeat.
   *
   * @param why a sentence for the log
   */
  static CompletionStage<ResponseVerdict> close(String why) {
    return CompletableFuture.completedFuture(new Close(why));
  }
}
