package dev.sluice.simulation;

/** Something happened that must never happen. */
public final class InvariantBroken extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String invariant;

  /**
   * @param invariant its name
   * @param found what was found instead
   */
  public InvariantBroken(String invariant, String found) {
    super("expected " + invariant + "; found: " + found);
    this.invariant = invariant;
  }

  /** The name of the invariant. */
  public String invariant() {
    return invariant;
  }
}
