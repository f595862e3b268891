package dev.sluice.app.command;

/** What the process tells its parent. */
public final class ExitStatus {

  public static final int DONE = 0;
  public static final int FAILED = 1;
  public static final int BAD_USAGE = 2;
  public static final int HALTED_FOR_SAFETY = 3;

  private ExitStatus() {}
}
