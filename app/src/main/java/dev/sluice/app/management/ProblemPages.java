package dev.sluice.app.management;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** What is refused before any route is looked for is told as every other problem, not as HTML. */
final class ProblemPages extends ErrorHandler {

  private static final String PROBLEM = "application/problem+json";

  @Override
  protected void generateResponse(
      Request request,
      Response response,
      int code,
      @Nullable String message,
      @Nullable Throwable cause,
      Callback callback) {
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, PROBLEM);
    if (cause instanceof ClearTextException) {
      response.getHeaders().put(HttpHeader.CONNECTION, "close");
      response.write(true, bytes(code, ClearTextException.DETAIL), callback);
      return;
    }
    response.write(true, body(code, message), callback);
  }

  private static ByteBuffer body(int status, @Nullable String reason) {
    var found =
        reason == null || reason.isBlank() ? String.valueOf(HttpStatus.getMessage(status)) : reason;
    return bytes(status, "Expected a request as HTTP describes it, found: " + found + ".");
  }

  private static ByteBuffer bytes(int status, String detail) {
    var title = String.valueOf(HttpStatus.getMessage(status));
    return ByteBuffer.wrap(
        ProblemException.body(status, title, detail).getBytes(StandardCharsets.UTF_8));
  }
}
