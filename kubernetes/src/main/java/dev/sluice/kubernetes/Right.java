package dev.sluice.kubernetes;

/** The right to act on a cluster. */
@FunctionalInterface
interface Right {

  /** Nobody else is asked. */
  Right ALWAYS = () -> true;

  /** Whether we have it at this moment. */
  boolean held();
}
