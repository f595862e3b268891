package dev.sluice.proxy;

/**
 * Bounds on what the clients of one virtual cluster may ask for.
 *
 * @param maxFrameSize of a request or response, in bytes; larger ones close the connection
 * @param maxConnections client connections at one time; further ones are closed at once
 * @param maxInFlight requests of one connection that are read and not yet answered; at the bound
 *     the connection is not read on
 */
public record LimitsSpec(int maxFrameSize, int maxConnections, int maxInFlight) {

  public static final int DEFAULT_MAX_FRAME_SIZE = 100 * 1024 * 1024;
  public static final int DEFAULT_MAX_CONNECTIONS = 10_000;
  public static final int DEFAULT_MAX_IN_FLIGHT = 1_024;

  /** What holds where the configuration says nothing. */
  public static final LimitsSpec DEFAULT =
      new LimitsSpec(DEFAULT_MAX_FRAME_SIZE, DEFAULT_MAX_CONNECTIONS, DEFAULT_MAX_IN_FLIGHT);
}
