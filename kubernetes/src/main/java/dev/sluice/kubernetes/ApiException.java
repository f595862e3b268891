package dev.sluice.kubernetes;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The API server refused, failed, or did not answer. */
final class ApiException extends IOException {
  private static final long serialVersionUID = 1L;

  static final int NO_ANSWER = 0;
  static final int UNAUTHORIZED = 401;
  static final int FORBIDDEN = 403;
  static final int NOT_FOUND = 404;
  static final int CONFLICT = 409;
  static final int GONE = 410;
  static final int TOO_MANY_REQUESTS = 429;

  private final int code;

  ApiException(String message, int code, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /** Of HTTP; {@link #NO_ANSWER} when there was none. */
  int code() {
    return code;
  }
}
