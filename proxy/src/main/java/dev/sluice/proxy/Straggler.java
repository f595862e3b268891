package dev.sluice.proxy;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * A connection that a drain, or the leaving of a former generation, waits for.
 *
 * @param clientId as the client calls itself, cut and made plain; empty if it has not said so
 * @param from where the client is
 * @param cause what has to happen before it can go
 * @param api of the request that it waits with; empty where no request is in flight
 * @param since for how long that has been so: since the request was read, or else since something
 *     last came from either side
 * @param requestsInFlight requests read whose responses have not been written
 */
public record Straggler(
    String clientId,
    InetSocketAddress from,
    Wait cause,
    Optional<String> api,
    Duration since,
    int requestsInFlight) {

  private static final int LONGEST_CLIENT_ID = 100;
  private static final double MILLIS = 1000.0;

  /** What has to happen before it can go. */
  public enum Wait {
    /** Its broker has to answer. */
    ANSWER("its broker has not answered"),
    /** The client has to read what it was answered. */
    READING("the client does not read its answer"),
    /** A broker has to be reached. */
    BROKER("no broker is reached yet"),
    /** The client has to say its end. */
    CLIENT("the client does not say its end"),
    /** Nothing is in flight: its turn, or its silence, has to come. */
    TURN("nothing is in flight, its turn to go comes");

    private final String sentence;

    Wait(String sentence) {
      this.sentence = sentence;
    }

    /** The name in the API. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** For a person. */
    public String sentence() {
      return sentence;
    }
  }

  /** The client id comes from outside: nothing of it is to look like another line of a log. */
  public Straggler {
    var plain = clientId.replaceAll("\\p{Cntrl}", "?");
    clientId = plain.substring(0, Math.min(plain.length(), LONGEST_CLIENT_ID));
  }

  /** Where the client is, as host and port. */
  public String address() {
    return from.getHostString() + ":" + from.getPort();
  }

  @Override
  public String toString() {
    return "%s at %s (%s%s for %s s%s)"
        .formatted(
            clientId.isEmpty() ? "a client" : clientId,
            address(),
            api.map(name -> name + ": ").orElse(""),
            cause.sentence(),
            String.format(Locale.ROOT, "%.1f", since.toMillis() / MILLIS),
            requestsInFlight > 1 ? ", " + requestsInFlight + " in flight" : "");
  }
}
