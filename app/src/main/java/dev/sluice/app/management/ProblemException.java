package dev.sluice.app.management;

/** A call that is answered with {@code application/problem+json} (RFC 9457). */
final class ProblemException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int status;
  private final String title;

  /**
   * @param detail what was expected, what was found, what to do
   */
  ProblemException(int status, String title, String detail) {
    super(detail);
    this.status = status;
    this.title = title;
  }

  int status() {
    return status;
  }

  String body() {
    return body(status, title, String.valueOf(getMessage()));
  }

  static String body(int status, String title, String detail) {
    var node = Json.object().put("type", "about:blank").put("title", title);
    return Json.text(node.put("status", status).put("detail", detail));
  }
}
