package dev.sluice.app.command;

/** A command cannot do what was asked, for a reason that a person can mend. */
public final class CommandFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * @param message what was expected, what was found, what to do
   */
  public CommandFailedException(String message) {
    super(message);
  }

  public CommandFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
