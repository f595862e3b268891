package dev.sluice.app.management;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;

/** Somebody speaks plain HTTP where TLS is expected. Nothing of the request was looked at. */
final class ClearTextException extends HttpException.RuntimeException {

  private static final long serialVersionUID = 1L;

  static final String DETAIL =
      "Expected TLS, found plain HTTP; call https:// instead. A token that was sent like this could"
          + " be read on the way: put another into management.tokenFile.";

  ClearTextException() {
    super(HttpStatus.BAD_REQUEST_400, DETAIL);
  }
}
