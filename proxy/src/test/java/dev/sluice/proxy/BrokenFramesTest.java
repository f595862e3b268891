package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.protocol.Apis;
import dev.sluice.protocol.Mutations;
import dev.sluice.protocol.RandomFrames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
  private static final Duration DURATION = Duration.ofSeconds(Long.getLong("fuzz.seconds", 5));

  private static final long FIRST_CASE = Long.getLong("seed", 1);
  private static final String OTHER = "two";
  private static final int CORRELATION_ID = 77;

  /** How many cases go by until the neighbours are looked at. */
  private static final int BETWEEN_LOOKS = 50;

  private static final int MOST_FRAME_BYTES = 1 << 20;

  /** What the broker answers the next request of a case with. */
  private final ConcurrentLinkedQueue<byte[]> answers = new ConcurrentLinkedQueue<>();

  private final AtomicInteger neighbourly = new AtomicInteger();

  private record Place(ApiKeys api, short version) {}

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whatever_is_wrong_with_a_frame_ends_its_connection_at_most() throws Exception {
    long end = System.nanoTime() + DURATION.toNanos();
    try (var stage = new Stage()) {
      long number = FIRST_CASE;
      for (; System.nanoTime() - end < 0; number++) {
        mutated(stage, number);
      }
      System.out.printf("BrokenFramesTest: cases %d to %d%n", FIRST_CASE, number - 1);
    }
  }

  /** All bytes of a frame of every API and version, each in a connection of its own. */
  @Test
  @Tag("acceptance")
  void whichever_byte_of_a_frame_is_another_ends_its_connection_at_most() throws Exception {
    try (var stage = new Stage()) {
      int played = 0;
      for (var place : places()) {
        var random = new SplittableRandom(FIRST_CASE);
        var frames = new RandomFrames(random);
        var request = frames.request(place.api, place.version, CORRELATION_ID);
        var response = frames.response(place.api, place.version, CORRELATION_ID);
        for (int at = 0; at < request.length; at++, played++) {
          stage.play(at, changed(request, at, random), response);
        }
        for (int at = 0; at < response.length; at++, played++) {
          stage.play(at, request, changed(response, at, random));
        }
      }
      System.out.printf("BrokenFramesTest: %,d frames, each with a byte changed%n", played);
    }
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

  private static byte[] changed(byte[] frame, int at, SplittableRandom random) {
    var changed = frame.clone();
    changed[at] ^= (byte) random.nextInt(1, 256);
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
    if (random.nextBoolean()) {
      var other = frames.request(foreign.api, foreign.version, 1);
      stage.play(number, mutations.changed(request, other), response);
    } else {
      var other = frames.response(foreign.api, foreign.version, 1);
      stage.play(number, request, mutations.changed(response, other));
    }
  }

  /** A proxy with two virtual clusters, on each of which somebody is well. */
  private final class Stage implements AutoCloseable {
    private final StubBroker broker = new StubBroker(BrokenFramesTest.this::answerOnce);
    private final StubBroker wellBroker = StubBroker.echo();
    private final ProxyUnderTest proxy;
    private final Peer beside;
    private final Peer elsewhere;
    private int played;

    Stage() throws IOException {
      var limits = new LimitsSpec(MOST_FRAME_BYTES, 100, 100);
      var one = cluster(ProxyUnderTest.NAME, broker, limits);
      var two = cluster(OTHER, wellBroker, limits);
      proxy = ProxyUnderTest.start(NetworkSpec.DEFAULT, FailurePolicy.DEFAULT, List.of(one, two));
      proxy.awaitState(ProxyUnderTest.NAME, Serving.class);
      proxy.awaitState(OTHER, Serving.class);
      beside = Peer.connect(one.gateways().getFirst().bootstrapAddress());
      elsewhere = Peer.connect(two.gateways().getFirst().bootstrapAddress());
    }

    private static VirtualClusterSpec cluster(String name, StubBroker broker, LimitsSpec limits) {
      return ProxyUnderTest.cluster(
          name,
          List.of(broker.endpoint()),
          FreePorts.inARow(ProxyUnderTest.NODES + 1),
          limits,
          DrainSpec.DEFAULT_TIMEOUT);
    }

    void play(long number, byte[] request, byte[] response) {
      try {
        answers.clear();
        answers.add(response);
        try (var client = proxy.connect()) {
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
