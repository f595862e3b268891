package dev.sluice.proxy;

/**
 * A generation cannot be set up, for what its configuration gets wrong here. The message is a
 * sentence: what was expected, what was found, what to do.
 */
final class SetUpException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String code;
  private final String sentence;

  /**
   * @param code short and stable, for alerts: {@code port-busy}
   */
  SetUpException(String code, String message) {
    super(message);
    this.code = code;
    this.sentence = message;
  }

  String code() {
    return code;
  }

  /** The message. */
  String sentence() {
    return sentence;
  }
}
