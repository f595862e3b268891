package dev.sluice.lifecycle.reload;

/** Which way to prefer: {@code reload.strategy}. */
public enum Strategy {
  /** The least disruptive way that is correct. */
  LEAST_DISRUPTIVE,
  /** Always by drain. */
  DRAIN
}
