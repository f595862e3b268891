package dev.sluice.lifecycle.quiet;

/** What the shell has to do, in the order given. */
public sealed interface QuietAction {

  /** Pass the request that was just told on to the broker, to its last byte. */
  record Forward() implements QuietAction {}

  /** Keep the request that was just told: it is not forwarded, {@link Answer} will come for it. */
  record Hold(long number) implements QuietAction {}

  /**
   * Leave the request that was just told unread, and everything behind it; tell it anew after
   * {@link ResumeReading} or {@link SendEnd}.
   */
  record Park() implements QuietAction {}

  /** Read the request that was just told to its end and forget it: it gets no answer. */
  record Discard() implements QuietAction {}

  /**
   * Answer in the broker's place, now: its turn has come. Tell {@link QuietEvent.Answered} for it.
   * If it was forwarded the broker's response is still to come, and will be dropped.
   *
   * @param throttle the pause to ask for in it, in nanoseconds; 0 for none
   */
  record Answer(long number, long throttle) implements QuietAction {}

  /** Pass the response that has just come, as it is. */
  record Pass(long number) implements QuietAction {}

  /** Pass the response that has just come, with this pause in place of its own. */
  record Stamp(long number, long throttle) implements QuietAction {}

  /** Drop the response that has just come: its request was answered in the broker's place. */
  record Drop(long number) implements QuietAction {}

  /** Finish the frame that is being read, and read nothing further. */
  record StopReading() implements QuietAction {}

  /** Read on, beginning with what was parked. */
  record ResumeReading() implements QuietAction {}

  /** Put the new generation behind the connection: nothing is in flight. */
  record Switch() implements QuietAction {}

  /**
   * Tell the client the end once all is written, and read on, beginning with what was parked, to
   * the client's own. The upstream connection stays for one-way requests that come yet.
   */
  record SendEnd() implements QuietAction {}

  /** Close both sockets; of the upstream one first write what was handed to it. */
  record Close() implements QuietAction {}

  /** Tell {@link QuietEvent.TimerRang} then; the time asked for before is void. */
  record RingAt(long at) implements QuietAction {}
}
