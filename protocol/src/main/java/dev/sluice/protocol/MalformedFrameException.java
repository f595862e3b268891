package dev.sluice.protocol;

/**
 * A response cannot be read, so that nobody can vouch for the addresses in it. Nothing of it may
 * reach the client: close the connection with this message as the one line to log.
 */
public final class MalformedFrameException extends Exception {

  private static final long serialVersionUID = 1L;

  MalformedFrameException(short key, short version, String found, Throwable cause) {
    super(message(key, version, found), cause);
  }

  MalformedFrameException(short key, short version, String found) {
    super(message(key, version, found));
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
