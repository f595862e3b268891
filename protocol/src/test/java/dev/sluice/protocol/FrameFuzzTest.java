package dev.sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Frames of every API and version, changed in ways that know of lengths: each is read or refused,
 * in little time, and leaves nothing behind. A case is made from a number of its own; one that
 * fails is printed as a line for {@code src/test/fuzz/frames.txt}, and stays there.
 */
class FrameFuzzTest {

  /** In the ordinary run little, and always the same; {@code -Dfuzz.seconds} says otherwise. */
  private static final Duration DURATION = Duration.ofSeconds(Long.getLong("fuzz.seconds", 10));

  /** Side by side; each takes the next case. */
  private static final int WORKERS = Integer.getInteger("fuzz.workers", 2);

  private static final long FIRST_CASE = Long.getLong("seed", 1);
  private static final Path CORPUS = Path.of("src", "test", "fuzz", "frames.txt");

  /** Far more than a frame takes, also on a machine that does other things. */
  private static final Duration LONGEST_CASE = Duration.ofSeconds(10);

  /** What is tried: a request, or a response to a request of this API and version. */
  private static final class Case {
    private final boolean isRequest;
    private final short key;
    private final short version;
    private final byte[] frame;

    Case(boolean isRequest, short key, short version, byte[] frame) {
      this.isRequest = isRequest;
      this.key = key;
      this.version = version;
      this.frame = frame;
    }

    static Case of(String line) {
      var words = line.split(" ", -1);
      return new Case(
          words[0].equals("request"),
          Short.parseShort(words[1]),
          Short.parseShort(words[2]),
          HexFormat.of().parseHex(words[3]));
    }

    @Override
    public String toString() {
      return (isRequest ? "request " : "response ")
          + key
          + " "
          + version
          + " "
          + ByteBufUtil.hexDump(frame);
    }
  }

  @Test
  void what_was_stumbled_over_once_is_read_or_refused() throws IOException {
    var lines = Files.readAllLines(CORPUS).stream().filter(one -> !one.startsWith("#")).toList();
    assertThat(lines).isNotEmpty();
    for (var line : lines) {
      for (int chunks = 0; chunks < 20; chunks++) {
        attempt(Case.of(line), new SplittableRandom(chunks));
      }
    }
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whatever_comes_is_read_or_refused() throws Exception {
    long end = System.nanoTime() + DURATION.toNanos();
    var next = new AtomicLong(FIRST_CASE);
    long read = 0;
    try (var workers = Executors.newFixedThreadPool(WORKERS)) {
      Callable<Long> worker = () -> attempts(next, end);
      for (var one : workers.invokeAll(Collections.nCopies(WORKERS, worker))) {
        read += one.get();
      }
    }
    System.out.printf(
        "FrameFuzzTest: cases %d to %d, %,d of them read%n", FIRST_CASE, next.get() - 1, read);
    assertThat(read).isPositive().isLessThan(next.get() - FIRST_CASE);
  }

  private static long attempts(AtomicLong next, long end) {
    long read = 0;
    while (System.nanoTime() - end < 0) {
      var random = new SplittableRandom(next.getAndIncrement());
      read += attempt(made(random), random);
    }
    return read;
  }

  private static Case made(SplittableRandom random) {
    var api = any(random);
    short version = (short) random.nextInt(Apis.oldest(api.id), Apis.newest(api.id) + 1);
    boolean isRequest = random.nextBoolean();
    var frame = frame(api, version, isRequest, random);
    var foreign = any(random);
    var other = frame(foreign, Apis.newest(foreign.id), isRequest, random);
    return new Case(isRequest, api.id, version, new Mutations(random).changed(frame, other));
  }

  private static ApiKeys any(SplittableRandom random) {
    return RandomFrames.APIS.get(random.nextInt(RandomFrames.APIS.size()));
  }

  private static byte[] frame(
      ApiKeys api, short version, boolean isRequest, SplittableRandom random) {
    var frames = new RandomFrames(random);
    return isRequest ? frames.request(api, version, 1) : frames.response(api, version, 1);
  }

  /** Returns how many frames were read. */
  private static long attempt(Case one, SplittableRandom random) {
    long before = System.nanoTime();
    try {
      var path = new DataPath(random);
      var frame = Unpooled.wrappedBuffer(one.frame);
      if (one.isRequest) {
        path.request(frame);
      } else if (one.frame.length >= FrameCheck.LENGTH_BYTES + FrameCheck.SHORTEST_RESPONSE) {
        path.response(one.key, one.version, frame);
      }
      path.allIsBack();
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(LONGEST_CASE);
      return path.read();
    } catch (RuntimeException | AssertionError | OutOfMemoryError e) {
      throw new AssertionError("add to " + CORPUS + ": " + one, e);
    }
  }
}
