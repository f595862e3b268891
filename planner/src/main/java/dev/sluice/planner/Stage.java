package dev.sluice.planner;

/**
 * The order of a roll: what is broken first, so that a bad configuration is found there, and what
 * everything hangs on last.
 */
public enum Stage {
  NOT_RUNNING("start what does not run"),
  NOT_READY("restart what does not serve"),
  RECONFIGURE("reconfigure while running"),
  CONTROLLER("restart a controller"),
  COMBINED("restart a combined server"),
  ACTIVE_CONTROLLER("restart the active controller"),
  BROKER("restart brokers");

  private final String sentence;

  Stage(String sentence) {
    this.sentence = sentence;
  }

  public String sentence() {
    return sentence;
  }
}
