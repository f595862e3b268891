package dev.sluice.protocol;

import org.jspecify.annotations.Nullable;

/**
 * A response cannot be read, so that nobody can vouch for the addresses in it; or a request, so
 * that nobody can judge it. Nothing of it may go on: close the connection with this message as the
 * one line to log.
 */
public final class MalformedFrameException extends Exception {

  private static final long serialVersionUID = 1L;

  MalformedFrameException(short key, short version, String found, Throwable cause) {
    super(message(key, version, found), cause);
  }

  MalformedFrameException(short key, short version, String found) {
    super(message(key, version, found));
  }

  private MalformedFrameException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  static MalformedFrameException request(
      short key, short version, String found, @Nullable Throwable cause) {
    return new MalformedFrameException(
        "expected a request of %s version %d, found %s; check which client sends it"
            .formatted(Apis.name(key), version, found),
        cause);
  }

  private static String message(short key, short version, String found) {
    return "expected a response to "
        + Apis.name(key)
        + " version "
        + version
        + ", found "
        + found
        + "; check that the upstream is a Kafka broker of a supported release";
  }
}
