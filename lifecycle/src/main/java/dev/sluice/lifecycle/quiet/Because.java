package dev.sluice.lifecycle.quiet;

import java.util.Locale;

/** Why a step was taken: the last thing that was decided in it. */
public enum Because {
  NOTED("A fact was noted; nothing follows from it yet."),
  NOT_MARKED("It is not to go quiet."),
  OVER("It is over: nothing is forwarded any more."),
  STAMPED("The first response that can carry it, while less than half a pause is left."),
  MARKED("It is to end, and waits for a response that can ask for the pause."),
  HANDSHAKE_FIRST("A client whose first answer is an end may not come back."),
  STAYS_FOR_NOW("A waiting group or a share consumer would notice the switch."),
  STILLS("It is switched as soon as nothing is in flight."),
  ENDS_POLL("The broker may sit on it for longer than there is time."),
  HELD_POLL("It is answered empty, but not at once: some clients would spin."),
  WAITS_FOR_HELD("Its answer would come before that to an earlier request, which is held."),
  REFUSES("The grace is over: it is answered in the broker's place, paced."),
  CANNOT_BE_REFUSED("No client takes an error for it quietly: the connection ends without one."),
  GRACE_PASSED("What is left of the drain is for those who are still there."),
  DOES_NOT_PAUSE("The client sends while it was asked not to."),
  SILENT("Nothing is in flight, nothing was read for a while, the client still pauses."),
  IDLE("Nothing is in flight, and nothing has moved for a while."),
  CANNOT_BE_ASKED("Nothing that could ask for a pause has come for a while: it ends without one."),
  EMPTY("Nothing is in flight, and nothing better can be waited for."),
  TIGHTENED("It has to be quiet sooner, or in a stronger way."),
  STILL("Nothing is in flight."),
  SWITCHED("The new generation is behind it."),
  UPSTREAM_LOST("What was with the broker cannot be answered any more."),
  CLIENT_LEFT("The client has gone by itself."),
  ENDS_MET("Both sides have sent their last byte."),
  LINGERED("The client's own end did not come."),
  DEADLINE_PASSED("The time is up.");

  private final String sentence;

  Because(String sentence) {
    this.sentence = sentence;
  }

  /** For people. */
  public String sentence() {
    return sentence;
  }

  /** As logs and tables show it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
