package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.filter.Wanted;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.protocol.Apis;
import dev.sluice.protocol.Endpoint;
import dev.sluice.protocol.Mutations;
import dev.sluice.protocol.RandomFrames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Frames with something wrong in them, from a client or from the broker, through a real proxy:
 * their connection comes to its end, nothing of it is left, and no other connection notices, on the
 * same virtual cluster or on another. That the proxy has no defect and leaks nothing is looked at
 * when it is closed.
 */
class BrokenFramesTest {

  /** In the ordinary run little, and always the same; {@code -Dfuzz.seconds} says otherwise. */
  private static final Duration DURATION = Duration.ofSeconds(Long.getLong("fuzz.seconds", 10));

  private static final long FIRST_CASE = Long.getLong("seed", 1);
  private static final String OTHER = "two";
  private static final String DECODING = "decoding";
  private static final int CORRELATION_ID = 77;

  /** How many cases go by until the neighbours are looked at. */
  private static final int BETWEEN_LOOKS = 50;

  private static final int MOST_FRAME_BYTES = 1 << 20;

  /** How many bytes a frame has of which each is changed. */
  private static final int MOST_CHANGED = 400;

  private static final int MOST_TRIES = 10_000;

  /** The ends of a byte's range, as a signed one and as a length. */
  private static final byte[] ENDS = {0, 0x7F, (byte) 0xFF};

  /** What the broker answers the next request of a case with. */
  private final ConcurrentLinkedQueue<byte[]> answers = new ConcurrentLinkedQueue<>();

  private final AtomicInteger neighbourly = new AtomicInteger();

  private record Place(ApiKeys api, short version) {}

  /** What the proxy does with what passes. */
  private enum Way {
    /** As little as it can. */
    AS_IT_COMES,
    /** It decodes everything and writes it anew, for a filter. */
    DECODED
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whatever_is_wrong_with_a_frame_ends_its_connection_at_most() throws Exception {
    long end = System.nanoTime() + DURATION.toNanos();
    try (var stage = new Stage()) {
      long number = FIRST_CASE;
      for (; System.nanoTime() - end < 0; number++) {
        mutated(stage, number);
      }
      System.out.printf(
          "BrokenFramesTest: cases %d to %d; ended: %s%n", FIRST_CASE, number - 1, stage.ended());
    }
  }

  /** It would be counted as in flight for ever: its connection may be over already. */
  @Test
  void what_follows_a_request_that_could_not_be_decoded_is_not_begun() throws Exception {
    var valid = Frames.heartbeat(1);
    var broken = Arrays.copyOf(valid, valid.length - 2);
    ByteBuffer.wrap(broken).putInt(0, broken.length - Integer.BYTES);
    try (var stage = new Stage()) {
      for (int i = 0; i < BETWEEN_LOOKS; i++) {
        stage.play(i, Way.DECODED, Frames.joined(broken, valid), new byte[0]);
      }
    }
  }

  /** All bytes of a frame of every API and version, each time in a connection of its own. */
  @Test
  @Tag("acceptance")
  @Timeout(value = 2, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whichever_byte_of_a_frame_is_another_ends_its_connection_at_most() throws Exception {
    try (var stage = new Stage()) {
      for (var place : places()) {
        var random = new SplittableRandom(FIRST_CASE);
        var frames = new RandomFrames(random);
        var request = brief(() -> frames.request(place.api, place.version, CORRELATION_ID));
        var response = brief(() -> frames.response(place.api, place.version, CORRELATION_ID));
        everyByte(request, random, (at, changed, way) -> stage.play(at, way, changed, response));
        everyByte(response, random, (at, changed, way) -> stage.play(at, way, request, changed));
      }
      System.out.printf(
          "BrokenFramesTest: %,d frames of %d APIs and versions, each with a byte changed; ended: %s%n",
          stage.played, places().size(), stage.ended());
    }
  }

  /** The first that is not long: all of its bytes are changed. */
  private static byte[] brief(Supplier<byte[]> frames) {
    return Stream.generate(frames)
        .limit(MOST_TRIES)
        .filter(frame -> frame.length <= MOST_CHANGED)
        .findFirst()
        .orElseThrow();
  }

  private interface Changed {
    void with(int at, byte[] frame, Way way);
  }

  /** Each of its bytes is changed to the ends of its range, and to any. */
  private static void everyByte(byte[] frame, SplittableRandom random, Changed changed) {
    for (int at = 0; at < frame.length; at++) {
      for (byte end : ENDS) {
        if (end != frame[at]) {
          changed.with(at, changed(frame, at, end), Way.AS_IT_COMES);
        }
      }
      byte any = (byte) (frame[at] ^ random.nextInt(1, 256));
      changed.with(at, changed(frame, at, any), Way.AS_IT_COMES);
      changed.with(at, changed(frame, at, any), Way.DECODED);
    }
  }

  private static Wanted everything() {
    var wanted = Wanted.NOTHING;
    for (var api : RandomFrames.APIS) {
      wanted = wanted.andRequests(api).andResponses(api);
    }
    return wanted;
  }

  private static List<Place> places() {
    var places = new ArrayList<Place>();
    for (var api : RandomFrames.APIS) {
      for (int version = Apis.oldest(api.id); version <= Apis.newest(api.id); version++) {
        places.add(new Place(api, (short) version));
      }
    }
    return places;
  }

  private static byte[] changed(byte[] frame, int at, byte to) {
    var changed = frame.clone();
    changed[at] = to;
    return changed;
  }

  private static void mutated(Stage stage, long number) {
    var random = new SplittableRandom(number);
    var places = places();
    var place = places.get(random.nextInt(places.size()));
    var foreign = places.get(random.nextInt(places.size()));
    var frames = new RandomFrames(random);
    var request = frames.request(place.api, place.version, CORRELATION_ID);
    var response = frames.response(place.api, place.version, CORRELATION_ID);
    var mutations = new Mutations(random);
    var way = random.nextInt(3) == 0 ? Way.DECODED : Way.AS_IT_COMES;
    if (random.nextBoolean()) {
      var other = frames.request(foreign.api, foreign.version, 1);
      stage.play(number, way, mutations.changed(request, other), response);
    } else {
      var other = frames.response(foreign.api, foreign.version, 1);
      stage.play(number, way, request, mutations.changed(response, other));
    }
  }

  /**
   * A proxy with two virtual clusters, on each of which somebody is well, and a third that decodes
   * whatever passes.
   */
  private final class Stage implements AutoCloseable {
    private final StubBroker broker = new StubBroker(BrokenFramesTest.this::answerOnce);
    private final StubBroker wellBroker = StubBroker.echo();
    private final ProxyUnderTest proxy;
    private final Peer beside;
    private final Peer elsewhere;
    private final Endpoint decoding;
    private int played;

    Stage() throws IOException {
      var limits = new LimitsSpec(MOST_FRAME_BYTES, 100, 100);
      var one = cluster(ProxyUnderTest.NAME, broker, limits);
      var two = cluster(OTHER, wellBroker, limits);
      var three =
          ScriptedFilter.on(cluster(DECODING, broker, limits), new ScriptedFilter(everything()));
      proxy =
          ProxyUnderTest.start(
              NetworkSpec.DEFAULT, FailurePolicy.DEFAULT, List.of(one, two, three));
      proxy.awaitState(ProxyUnderTest.NAME, Serving.class);
      proxy.awaitState(OTHER, Serving.class);
      proxy.awaitState(DECODING, Serving.class);
      decoding = three.gateways().getFirst().bootstrapAddress();
      beside = Peer.connect(one.gateways().getFirst().bootstrapAddress());
      elsewhere = Peer.connect(two.gateways().getFirst().bootstrapAddress());
      look(); // Who has never asked is not kept for long.
    }

    private static VirtualClusterSpec cluster(String name, StubBroker broker, LimitsSpec limits) {
      return ProxyUnderTest.cluster(
          name,
          List.of(broker.endpoint()),
          FreePorts.inARow(ProxyUnderTest.NODES + 1),
          limits,
          DrainSpec.DEFAULT_TIMEOUT);
    }

    void play(long number, Way way, byte[] request, byte[] response) {
      try {
        answers.clear();
        answers.add(response);
        try (var client = way == Way.DECODED ? Peer.connect(decoding) : proxy.connect()) {
          client.write(request);
          client.halfClose();
          toItsEnd(client);
        }
        if (++played % BETWEEN_LOOKS == 0) {
          look();
        }
      } catch (IOException | AssertionError e) {
        throw new AssertionError("case " + number + ": " + Arrays.toString(request), e);
      }
    }

    /** A reset is an end, too; that none comes is an exception, after the patience of a peer. */
    private void toItsEnd(Peer client) throws IOException {
      try {
        client.readToEnd();
      } catch (java.net.SocketException e) {
        assertThat(e).hasMessageContaining("reset");
      }
    }

    /** How connections of clients have ended so far. */
    Map<String, Long> ended() {
      var ended = new TreeMap<String, Long>();
      for (var counter : proxy.registry().get("sluice.disconnects").counters()) {
        var cause = Objects.requireNonNull(counter.getId().getTag("cause"));
        if (counter.count() > 0) {
          ended.merge(cause, (long) counter.count(), Long::sum);
        }
      }
      return ended;
    }

    private void look() throws IOException {
      int id = neighbourly.incrementAndGet();
      elsewhere.write(Frames.heartbeat(id));
      assertThat(elsewhere.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(id)));
      answers.clear();
      beside.write(Frames.heartbeat(id));
      assertThat(beside.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(id)));
    }

    @Override
    public void close() throws IOException {
      try (broker;
          wellBroker;
          proxy) {
        look();
        beside.leave();
        elsewhere.leave();
      }
    }
  }

  /** What it is to answer; who asks when there is nothing for it is well, and gets an echo. */
  private void answerOnce(Peer client) throws IOException {
    for (var length = client.read(Integer.BYTES);
        length.length == Integer.BYTES;
        length = client.read(Integer.BYTES)) {
      int bytes = ByteBuffer.wrap(length).getInt();
      var body = client.read(Math.clamp(bytes, 0, MOST_FRAME_BYTES));
      if (body.length < bytes) {
        return;
      }
      var answer = answers.poll();
      client.write(answer == null ? Frames.echoed(Frames.joined(length, body)) : answer);
    }
  }
}
