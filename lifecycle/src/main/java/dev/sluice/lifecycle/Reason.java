package dev.sluice.lifecycle;

import java.util.Locale;

/**
 * Why a step was taken, or not.
 *
 * @param code short and stable: what alerts and tests compare
 * @param sentence what a person reads
 */
public record Reason(Code code, String sentence) {

  /** The short codes. */
  public enum Code {
    FIRST_CONFIGURATION,
    CONFIGURATION_CHANGED,
    PREPARING_BESIDE,
    PREPARED,
    PREPARED_BESIDE,
    PREPARED_AWAITING_OTHERS,
    BARRIER_OPENED,
    PREPARE_FAILED,
    PREPARE_FAILED_BESIDE,
    RELOAD_CANCELLED,
    SWITCHED_IN_PLACE,
    HANDED_OVER,
    FORMER_LEFT,
    FORMER_CUT,
    RELOAD_NEEDS_DRAIN,
    ROLLING_BACK,
    ROLLED_BACK,
    ROLL_BACK_FAILED,
    RETRY_ASKED,
    RETRY_DUE,
    DRAIN_ASKED,
    REMOVED,
    SHUTDOWN,
    DEADLINE_TIGHTENED,
    QUIESCED,
    DEADLINE_PASSED,
    OUTDATED,
    ALREADY_SO,
    UNDER_RELOAD,
    NOT_POSSIBLE_NOW,
    STOPPED_IS_FINAL;

    /** As the API and metrics show it: {@code roll-back-failed}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
