package dev.sluice.roller.platform;

import java.io.IOException;
import java.time.Instant;
import java.util.OptionalInt;

/**
 * What a supervisor says about one server: a line of ten words, {@code -} for what there is not.
 *
 * @param alive whether its last process is there
 * @param exitStatus how that ended
 * @param startedAt when it was started; the epoch if never
 * @param endedAt when it ended; the epoch while it is alive
 * @param starts how often it was started
 */
record SupervisorAnswer(
    int server,
    boolean alive,
    OptionalInt exitStatus,
    Instant startedAt,
    Instant endedAt,
    int starts) {

  private static final int WORDS = 10;
  private static final int ALIVE = 2;
  private static final int EXIT_STATUS = 4;
  private static final int STARTED_AT = 5;
  private static final int ENDED_AT = 6;
  private static final int STARTS = 7;
  private static final String NOTHING = "-";

  static SupervisorAnswer parse(String line) throws IOException {
    String[] words = line.split(" ", -1);
    if (words.length != WORDS) {
      throw new IOException("expected ten words about a server, found '" + line + "'");
    }
    return new SupervisorAnswer(
        Integer.parseInt(words[0]),
        Boolean.parseBoolean(words[ALIVE]),
        words[EXIT_STATUS].equals(NOTHING)
            ? OptionalInt.empty()
            : OptionalInt.of(Integer.parseInt(words[EXIT_STATUS])),
        Instant.parse(words[STARTED_AT]),
        Instant.parse(words[ENDED_AT]),
        Integer.parseInt(words[STARTS]));
  }

  /** Since when there is this process, or none. */
  Instant since() {
    return alive || endedAt.equals(Instant.EPOCH) ? startedAt : endedAt;
  }
}
