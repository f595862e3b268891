package dev.sluice.lifecycle.reload;

/** What the failure of one cluster means for the others of a reload: {@code reload.mode}. */
public enum Mode {
  /** Nothing. */
  BEST_EFFORT,
  /** If one that is new or changed cannot be prepared none is switched. */
  ATOMIC
}
