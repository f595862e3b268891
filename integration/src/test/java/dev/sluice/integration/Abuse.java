package dev.sluice.integration;

import dev.sluice.integration.MoodyUpstream.Mood;
import dev.sluice.protocol.Endpoint;
import dev.sluice.protocol.Mutations;
import dev.sluice.protocol.RandomFrames;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.apache.kafka.common.protocol.ApiKeys;

/** What somebody may do to a proxy who means no good, or whose program is broken. */
enum Abuse {
  NONSENSE(at -> (by, random) -> write(by, at.abused(), nonsense(random))),
  TLS_AT_A_PLAIN_PORT(at -> (by, _) -> write(by, at.abused(), hello())),
  FRAMES_THAT_CLAIM_TO_BE_HUGE(at -> (by, random) -> write(by, at.abused(), huge(random))),
  BROKEN_REQUESTS_TO_KAFKA(at -> (by, random) -> write(by, at.abused(), broken(random, true))),
  BROKEN_REQUESTS_OF_EVERY_API(
      at -> (by, random) -> write(by, at.moody(), broken(random, false)), Mood.ANSWERS),
  BROKEN_RESPONSES_OF_EVERY_API(Abuse::asking, Mood.ANSWERS_WRONGLY),
  RESPONSES_THAT_STOP_WITHIN(Abuse::asking, Mood.STOPS_WITHIN_AN_ANSWER),
  RESPONSES_THAT_NOBODY_ASKED_FOR(Abuse::asking, Mood.BABBLES),
  A_BROKER_THAT_RESETS(Abuse::asking, Mood.RESETS),
  A_BROKER_THAT_HANGS(Abuse::asking, Mood.HANGS),
  A_BROKER_THAT_ENDS_ITS_SIDE(Abuse::asking, Mood.ENDS_ITS_SIDE),
  A_BROKER_THAT_REFUSES(at -> (by, random) -> ask(by, at.refused(), random)),
  HALF_FRAMES(at -> (by, random) -> half(by, at.abused(), random)),
  A_BYTE_AT_A_TIME(at -> (by, random) -> trickle(by, at.abused(), random)),
  MORE_CONNECTIONS_THAN_MAY_BE(at -> (by, _) -> by.connect(at.abused())),
  CONNECTIONS_THAT_ARE_RESET_AT_ONCE(at -> (by, _) -> reset(by.connect(at.abused()))),
  HANDSHAKES_THAT_DO_NOT_END(at -> (by, random) -> greet(by, at.secured(), random)),
  NO_TLS_AT_A_TLS_PORT(at -> (by, random) -> write(by, at.secured(), request(random))),
  REQUESTS_WHOSE_ANSWERS_ARE_NOT_READ(
      at -> (by, random) -> pile(by, at.moody(), random), Mood.ANSWERS),
  SLOW_READERS_OF_LARGE_FETCHES(at -> (by, _) -> LargeTopic.readSlowly(by, at), 16);

  /** More than the virtual cluster lets in. */
  private static final int MOST_HELD = 2 * AbuseStage.MOST_CONNECTIONS;

  /** What harms no broker, whatever is in it; these are sent to real ones. */
  private static final List<ApiKeys> HARMLESS =
      List.of(
          ApiKeys.PRODUCE,
          ApiKeys.FETCH,
          ApiKeys.LIST_OFFSETS,
          ApiKeys.OFFSET_FETCH,
          ApiKeys.HEARTBEAT,
          ApiKeys.DESCRIBE_GROUPS,
          ApiKeys.SASL_HANDSHAKE,
          ApiKeys.API_VERSIONS,
          ApiKeys.DESCRIBE_CONFIGS,
          ApiKeys.DESCRIBE_CLUSTER);

  private static final int API_AT = 4;
  private static final int AFTER_VERSION = 8;
  private static final int PILED = 50;

  @SuppressWarnings("ImmutableEnumChecker") // Each is a lambda that holds nothing.
  private final Function<Targets, Abuser.Attempt> how;

  private final Mood mood;
  private final int mostHeld;

  Abuse(Function<Targets, Abuser.Attempt> how) {
    this(how, Mood.ENDS_ITS_SIDE);
  }

  Abuse(Function<Targets, Abuser.Attempt> how, Mood mood) {
    this(how, mood, MOST_HELD);
  }

  Abuse(Function<Targets, Abuser.Attempt> how, int mostHeld) {
    this(how, Mood.ENDS_ITS_SIDE, mostHeld);
  }

  Abuse(Function<Targets, Abuser.Attempt> how, Mood mood, int mostHeld) {
    this.how = how;
    this.mood = mood;
    this.mostHeld = mostHeld;
  }

  /**
   * Goes on until it is closed.
   *
   * @param behind the moody one, as it is to be meanwhile
   */
  Abuser begin(Targets at, MoodyUpstream behind) {
    behind.is(mood);
    return Abuser.start(how.apply(at), mostHeld);
  }

  String shown() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  // ---- what is sent --------------------------------------------------------------------------

  private static byte[] nonsense(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> "GET / HTTP/1.1\r\nHost: kafka\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
      case 1 -> ByteBuffer.allocate(12).putInt(-1).array();
      case 2 -> ByteBuffer.allocate(4).putInt(0).array();
      default -> {
        var bytes = new byte[1 + random.nextInt(1_000)];
        random.nextBytes(bytes);
        yield bytes;
      }
    };
  }

  /** The beginning of a TLS handshake. */
  private static byte[] hello() {
    return ByteBuffer.allocate(100)
        .put(new byte[] {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xFC, 3, 3})
        .array();
  }

  private static byte[] huge(SplittableRandom random) {
    var request = request(random);
    ByteBuffer.wrap(request).putInt(0, Integer.MAX_VALUE - random.nextInt(1 << 30));
    return request;
  }

  private static byte[] request(SplittableRandom random) {
    return request(RandomFrames.APIS, random);
  }

  private static byte[] request(List<ApiKeys> apis, SplittableRandom random) {
    var api = apis.get(random.nextInt(apis.size()));
    var versions = api.allVersions();
    short version = versions.get(random.nextInt(versions.size()));
    return new RandomFrames(random).request(api, version, random.nextInt());
  }

  /**
   * A request with something wrong in it.
   *
   * @param harmless of some APIs only, and it stays one of these
   */
  private static byte[] broken(SplittableRandom random, boolean harmless) {
    var request = request(harmless ? HARMLESS : RandomFrames.APIS, random);
    var broken = new Mutations(random).changed(request, request(random));
    if (harmless) {
      int until = Math.min(broken.length, AFTER_VERSION);
      for (int at = API_AT; at < until; at++) {
        broken[at] = request[at];
      }
    }
    return broken;
  }

  // ---- how it is sent ------------------------------------------------------------------------

  private static void write(Abuser by, Endpoint to, byte[] bytes) throws IOException {
    try (var socket = by.connect(to)) {
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      readOn(socket);
    }
  }

  private static Abuser.Attempt asking(Targets at) {
    return (by, random) -> ask(by, at.moody(), random);
  }

  private static void ask(Abuser by, Endpoint to, SplittableRandom random) throws IOException {
    var socket = by.connect(to);
    socket.getOutputStream().write(request(random));
    readOn(socket);
  }

  /** To the end, if that comes; else the connection is left as it is. */
  private static void readOn(Socket socket) throws IOException {
    var in = socket.getInputStream();
    var bytes = new byte[16 * 1024];
    try {
      int read = in.read(bytes);
      while (read >= 0) {
        read = in.read(bytes);
      }
    } catch (SocketTimeoutException _) {
      // It has waited long enough.
    }
  }

  private static void half(Abuser by, Endpoint to, SplittableRandom random) throws IOException {
    var request = request(random);
    by.connect(to).getOutputStream().write(request, 0, 1 + random.nextInt(request.length - 1));
  }

  private static void trickle(Abuser by, Endpoint to, SplittableRandom random) throws IOException {
    var out = by.connect(to).getOutputStream();
    for (byte one : request(HARMLESS, random)) {
      out.write(one);
    }
  }

  private static void reset(Socket socket) throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  private static void greet(Abuser by, Endpoint to, SplittableRandom random) throws IOException {
    var hello = hello();
    by.connect(to).getOutputStream().write(hello, 0, random.nextInt(hello.length));
  }

  private static void pile(Abuser by, Endpoint to, SplittableRandom random) throws IOException {
    var out = by.connect(to).getOutputStream();
    for (int i = 0; i < PILED; i++) {
      out.write(request(random));
    }
  }
}
