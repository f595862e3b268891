package dev.sluice.app.management;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Consumer;

/** A call that is answered with {@code application/problem+json} (RFC 9457). */
final class ProblemException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int status;
  private final String title;
  private final transient Consumer<ObjectNode> further;

  /**
   * @param detail what was expected, what was found, what to do
   */
  ProblemException(int status, String title, String detail) {
    this(status, title, detail, _ -> {});
  }

  /**
   * @param further adds members of its own
   */
  ProblemException(int status, String title, String detail, Consumer<ObjectNode> further) {
    super(detail);
    this.status = status;
    this.title = title;
    this.further = further;
  }

  int status() {
    return status;
  }

  String body() {
    var node = node(status, title, String.valueOf(getMessage()));
    further.accept(node);
    return Json.text(node);
  }

  static String body(int status, String title, String detail) {
    return Json.text(node(status, title, detail));
  }

  private static ObjectNode node(int status, String title, String detail) {
    var node = Json.object().put("type", "about:blank").put("title", title);
    return node.put("status", status).put("detail", detail);
  }
}
