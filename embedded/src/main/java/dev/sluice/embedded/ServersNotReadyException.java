package dev.sluice.embedded;

/** Servers ended, or did not serve in time. The message has the last lines of their logs. */
public final class ServersNotReadyException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final boolean portTaken;

  ServersNotReadyException(String message, boolean portTaken) {
    super(message);
    this.portTaken = portTaken;
  }

  /** Whether a server ended because somebody else had taken its port. */
  boolean portTaken() {
    return portTaken;
  }
}
