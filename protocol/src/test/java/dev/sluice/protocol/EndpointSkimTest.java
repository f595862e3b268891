package dev.sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.protocol.Skimmed.Node;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EndpointSkimTest {

  private static final long SEED = Long.getLong("seed", 20_261_129);
  private static final int OUTSIDE = 99;

  private final CountedBuffers buffers = new CountedBuffers();
  private final List<Node> seen = new ArrayList<>();
  private String hostHere = "here";
  private final EndpointSkim skim =
      new EndpointSkim(
          this::advertised,
          (id, host, port, rack) -> seen.add(new Node(id, host, port, rack)),
          buffers.allocator);

  @AfterEach
  void every_buffer_is_given_back() {
    skim.abandon();
    buffers.allAreBack();
  }

  @Test
  void without_end_points_every_byte_passes_as_it_came() {
    everyCase(
        500,
        (random, key, version) -> {
          var frame =
              Wire.response(
                  key, version, new Skimmed(random, 5_000).response(key, version, List.of()));
          for (var lengthKept : new boolean[] {true, false}) {
            assertThat(skimmed(key, version, frame, lengthKept, random)).isEqualTo(frame);
          }
        });
    assertThat(seen).isEmpty();
  }

  @Test
  void end_points_are_replaced_and_all_else_stays() {
    everyCase(500, (random, key, version) -> replaces(random, key, version, 5_000, false));
  }

  @Test
  void end_points_are_replaced_within_the_length_that_was_told() {
    everyCase(500, (random, key, version) -> replaces(random, key, version, 5_000, true));
  }

  @Test
  @Tag("acceptance")
  void many_responses_of_all_sizes() {
    everyCase(
        20_000,
        (random, key, version) ->
            replaces(
                random,
                key,
                version,
                random.nextInt(20) == 0 ? 2_000_000 : 500,
                random.nextBoolean()));
  }

  @Test
  void a_small_response_may_be_split_at_any_two_places() throws MalformedFrameException {
    var node = new Node(1, "there", 7001, "r");
    for (var key : Skimmed.keys()) {
      var version = Skimmed.versions(key).getLast();
      var random = new SplittableRandom(SEED);
      var message = smallest(random, key, version, List.of(node));
      var frame = Wire.response(key, version, message);
      var body = frame.writerIndex();
      for (var first = 4; first <= body; first++) {
        for (var second = first; second <= body; second++) {
          var out = run(key, version, frame, true, new int[] {4, first, second, body});
          assertThat(Skimmed.nodes(Wire.parse(key, version, out)))
              .containsExactly(new Node(1, "here1", 9001, "r"));
        }
      }
    }
  }

  @Test
  void partitions_that_went_well_may_be_split_from_what_another_one_has_to_say()
      throws MalformedFrameException {
    var key = ApiKeys.PRODUCE;
    for (var version : Skimmed.versions(key)) {
      var topic = new ProduceResponseData.TopicProduceResponse();
      for (var index = 0; index < 5; index++) {
        var partition = new ProduceResponseData.PartitionProduceResponse().setIndex(index);
        if (index == 1 || index == 3) {
          partition.setCurrentLeader(new ProduceResponseData.LeaderIdAndEpoch().setLeaderId(1));
        }
        topic.partitionResponses().add(partition);
      }
      var message = new ProduceResponseData();
      message.responses().add(topic);
      message
          .nodeEndpoints()
          .add(new ProduceResponseData.NodeEndpoint().setNodeId(1).setHost("there").setPort(7001));
      var frame = Wire.response(key, version, message);
      for (var split = 4; split < frame.writerIndex(); split++) {
        var out = run(key, version, frame, true, new int[] {4, split, frame.writerIndex()});
        assertThat(Skimmed.nodes(Wire.parse(key, version, out)))
            .containsExactly(new Node(1, "here1", 9001, null));
      }
    }
  }

  @Test
  void whole_responses_keep_their_racks() throws MalformedFrameException {
    hostHere = "a-much-longer-host-name-than-the-broker-had";
    var nodes = List.of(new Node(1, "b", 1, "rack"), new Node(2, "c", 2, null));
    for (var key : Skimmed.keys()) {
      for (var version : Skimmed.versions(key)) {
        var frame =
            Wire.response(
                key,
                version,
                new Skimmed(new SplittableRandom(SEED), 10).response(key, version, nodes));
        var out =
            Wire.parse(
                key, version, run(key, version, frame, false, new int[] {4, frame.writerIndex()}));
        assertThat(Skimmed.nodes(out))
            .containsExactly(
                new Node(1, hostHere + 1, 9001, "rack"), new Node(2, hostHere + 2, 9002, null));
      }
    }
  }

  @Test
  void where_the_length_is_kept_racks_go_first_and_then_the_last_end_points()
      throws MalformedFrameException {
    var nodes =
        List.of(
            new Node(1, "there1", 1, "rack"),
            new Node(2, "there2", 2, "rack"),
            new Node(3, "there3", 3, "rack"));
    for (var key : Skimmed.keys()) {
      for (var version : Skimmed.versions(key)) {
        var kept = new ArrayList<Integer>();
        for (var length = 0; length < 90; length++) {
          hostHere = "h".repeat(length + 1);
          var frame =
              Wire.response(
                  key,
                  version,
                  new Skimmed(new SplittableRandom(SEED), 10).response(key, version, nodes));
          var out = run(key, version, frame, true, new int[] {4, frame.writerIndex()});
          assertThat(out.readableBytes()).isEqualTo(frame.readableBytes());
          kept.add(Skimmed.nodes(Wire.parse(key, version, out)).size());
        }
        assertThat(kept.getFirst()).isEqualTo(3);
        assertThat(kept.getLast()).isZero();
        assertThat(kept).contains(3, 1, 0);
      }
    }
  }

  @Test
  void brokers_without_an_address_are_left_out_but_seen() throws MalformedFrameException {
    var nodes = List.of(new Node(OUTSIDE, "there", 7099, "r"), new Node(1, "there", 7001, "r"));
    for (var lengthKept : new boolean[] {true, false}) {
      var frame =
          Wire.response(
              ApiKeys.FETCH,
              (short) 17,
              new Skimmed(new SplittableRandom(SEED), 10)
                  .response(ApiKeys.FETCH, (short) 17, nodes));
      var out =
          Wire.parse(
              ApiKeys.FETCH,
              (short) 17,
              run(
                  ApiKeys.FETCH,
                  (short) 17,
                  frame,
                  lengthKept,
                  new int[] {4, frame.writerIndex()}));
      assertThat(Skimmed.nodes(out)).extracting(Node::id).containsExactly(1);
    }
    assertThat(seen).contains(nodes.getFirst());
  }

  @Test
  void fields_that_nobody_knows_stay() throws MalformedFrameException {
    for (var key : Skimmed.keys()) {
      for (var lengthKept : new boolean[] {true, false}) {
        var version = Skimmed.versions(key).getLast();
        var message =
            new Skimmed(new SplittableRandom(SEED), 10)
                .response(key, version, List.of(new Node(1, "there1", 1, "rack")));
        var unknown =
            List.of(
                new RawTaggedField(7, new byte[] {1, 2}),
                new RawTaggedField(20_000, new byte[300]));
        message.unknownTaggedFields().addAll(unknown);
        var frame = Wire.response(key, version, message);
        var out =
            Wire.parse(
                key,
                version,
                run(key, version, frame, lengthKept, new int[] {4, frame.writerIndex()}));
        assertThat(out.unknownTaggedFields()).startsWith(unknown.toArray(RawTaggedField[]::new));
        assertThat(out.unknownTaggedFields().stream().map(RawTaggedField::tag)).isSorted();
        assertThat(Skimmed.nodes(out)).extracting(Node::host).containsExactly("here1");
      }
    }
  }

  @Test
  void fields_that_nobody_knows_pass_as_they_came_where_no_end_points_are()
      throws MalformedFrameException {
    for (var key : Skimmed.keys()) {
      var version = Skimmed.versions(key).getLast();
      var message = new Skimmed(new SplittableRandom(SEED), 10).response(key, version, List.of());
      message.unknownTaggedFields().add(new RawTaggedField(7, new byte[] {1, 2}));
      var frame = Wire.response(key, version, message);
      for (var split = 4; split < frame.writerIndex(); split++) {
        assertThat(run(key, version, frame, true, new int[] {4, split, frame.writerIndex()}))
            .isEqualTo(frame);
      }
    }
  }

  @Test
  void more_end_points_than_the_bound_are_malformed() {
    var nodes =
        IntStream.range(0, 2_000).mapToObj(id -> new Node(id, "x".repeat(150), 1, null)).toList();
    var frame =
        Wire.response(
            ApiKeys.FETCH,
            (short) 17,
            new Skimmed(new SplittableRandom(SEED), 10).response(ApiKeys.FETCH, (short) 17, nodes));
    assertThatThrownBy(
            () -> run(ApiKeys.FETCH, (short) 17, frame, true, new int[] {4, frame.writerIndex()}))
        .isInstanceOf(MalformedFrameException.class)
        .hasMessageContaining("bytes of end points, more than 262144");
  }

  @Test
  void any_changed_byte_is_skimmed_or_malformed_and_never_leads_astray() {
    for (var key : Skimmed.keys()) {
      for (var version : Skimmed.versions(key)) {
        var random = new SplittableRandom(SEED + version);
        var original =
            Wire.response(
                key,
                version,
                smallest(random, key, version, List.of(new Node(1, "there", 7001, "r"))));
        for (var i = 4; i < original.writerIndex(); i++) {
          for (var value :
              new int[] {
                0, 1, 2, 3, 0x7f, 0x80, 0xff, original.getByte(i) + 1, original.getByte(i) - 1
              }) {
            attempt(key, version, original.copy().setByte(i, value), random);
          }
        }
      }
    }
  }

  @Test
  void a_response_cut_short_is_malformed() {
    for (var key : Skimmed.keys()) {
      var version = Skimmed.versions(key).getLast();
      var frame =
          Wire.response(
              key,
              version,
              smallest(
                  new SplittableRandom(SEED),
                  key,
                  version,
                  List.of(new Node(1, "there", 7001, "r"))));
      for (var end = 5; end < frame.writerIndex(); end++) {
        var cut = frame.copy(0, end).setInt(0, end - 4);
        assertThatThrownBy(() -> run(key, version, cut, true, new int[] {4, cut.writerIndex()}))
            .isInstanceOf(MalformedFrameException.class)
            .hasMessageContaining(Apis.name(key.id) + " version " + version);
      }
    }
  }

  @Test
  void an_abandoned_response_gives_back_what_was_held() throws MalformedFrameException {
    var frame =
        Wire.response(
            ApiKeys.FETCH,
            (short) 17,
            new Skimmed(new SplittableRandom(SEED), 10)
                .response(ApiKeys.FETCH, (short) 17, List.of(new Node(1, "there", 1, null))));
    skim.begin(ApiKeys.FETCH.id, (short) 17, frame.readableBytes() - 4, true);
    skim.feed(frame, 4, frame.writerIndex() - 3);
    assertThat(skim.done()).isFalse();
    skim.abandon();
    buffers.allAreBack();
  }

  @Test
  void only_skimmed_responses_can_be_begun() {
    assertThatThrownBy(() -> skim.begin(ApiKeys.FETCH.id, (short) 12, 10, true))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> skim.begin(ApiKeys.METADATA.id, (short) 12, 10, true))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> skim.feed(Unpooled.buffer().writeLong(0), 0, 8))
        .isInstanceOf(IllegalStateException.class);
  }

  private void replaces(
      RandomGenerator random, ApiKeys key, short version, int maxRecordBytes, boolean lengthKept)
      throws MalformedFrameException {
    hostHere = "h".repeat(1 + random.nextInt(20));
    var nodes =
        IntStream.range(0, 1 + random.nextInt(6))
            .mapToObj(
                i ->
                    new Node(
                        i == 4 ? OUTSIDE : i,
                        "there-is-broker-" + "x".repeat(random.nextInt(140)),
                        7000 + i,
                        random.nextBoolean() ? null : "rack"))
            .toList();
    var given = new Skimmed(random, maxRecordBytes).response(key, version, nodes);
    var frame = Wire.response(key, version, given);
    seen.clear();
    var out = skimmed(key, version, frame, lengthKept, random);
    assertThat(seen).isEqualTo(nodes);
    assertThat(
            ByteBufUtil.indexOf(
                Unpooled.copiedBuffer("there-is-broker", StandardCharsets.US_ASCII), out))
        .isEqualTo(-1);
    if (lengthKept) {
      assertThat(out.readableBytes()).isEqualTo(frame.readableBytes());
    }
    var read = Wire.parse(key, version, out);
    var wanted =
        nodes.stream()
            .filter(node -> node.id() != OUTSIDE)
            .map(node -> new Node(node.id(), hostHere + node.id(), 9000 + node.id(), node.rack()))
            .toList();
    if (lengthKept) {
      var found = Skimmed.nodes(read);
      for (var i = 0; i < found.size(); i++) {
        var node = found.get(i);
        assertThat(node)
            .isIn(
                wanted.get(i),
                new Node(node.id(), wanted.get(i).host(), wanted.get(i).port(), null));
      }
    } else {
      assertThat(Skimmed.nodes(read)).isEqualTo(wanted);
    }
    Skimmed.clear(read);
    Skimmed.clear(given);
    read.unknownTaggedFields().removeIf(field -> field.tag() >= EndpointTail.FILLER_TAG);
    assertThat(read).isEqualTo(given);
  }

  private interface Case {
    void check(RandomGenerator random, ApiKeys key, short version) throws MalformedFrameException;
  }

  private static void everyCase(int times, Case check) {
    var seeds = new SplittableRandom(SEED);
    for (var i = 0; i < times; i++) {
      for (var key : Skimmed.keys()) {
        var seed = seeds.nextLong();
        var random = new SplittableRandom(seed);
        var versions = Skimmed.versions(key);
        var version = versions.get(random.nextInt(versions.size()));
        try {
          check.check(random, key, version);
        } catch (MalformedFrameException | RuntimeException | AssertionError e) {
          throw new AssertionError(
              "case %s, %s v%s, seed %s of -Dseed=%s".formatted(i, key, version, seed, SEED), e);
        }
      }
    }
  }

  /** The first random response that is not much more than nothing. */
  private static ApiMessage smallest(
      RandomGenerator random, ApiKeys key, short version, List<Node> nodes) {
    while (true) {
      var message = new Skimmed(random, 10).response(key, version, nodes);
      var bytes = Wire.response(key, version, message).readableBytes();
      if (bytes > 60 && bytes < 130) {
        return message;
      }
    }
  }

  private void attempt(ApiKeys key, short version, ByteBuf frame, RandomGenerator random) {
    try {
      skimmed(key, version, frame, random.nextBoolean(), random);
    } catch (MalformedFrameException e) {
      assertThat(e).hasMessageStartingWith("expected a response to " + Apis.name(key.id));
    }
  }

  private ByteBuf skimmed(
      ApiKeys key, short version, ByteBuf frame, boolean lengthKept, RandomGenerator random)
      throws MalformedFrameException {
    var ends = new ArrayList<>(List.of(4));
    while (ends.getLast() < frame.writerIndex()) {
      var most = random.nextInt(3) == 0 ? 3 : frame.writerIndex();
      ends.add(Math.min(frame.writerIndex(), ends.getLast() + 1 + random.nextInt(most)));
    }
    return run(
        key, version, frame, lengthKept, ends.stream().mapToInt(Integer::intValue).toArray());
  }

  /**
   * Does what a proxy does: forwards what it may, then the tail; each piece comes in its own
   * buffer.
   */
  private ByteBuf run(ApiKeys key, short version, ByteBuf frame, boolean lengthKept, int[] ends)
      throws MalformedFrameException {
    var out = Unpooled.buffer().writeBytes(frame, 0, 4);
    skim.begin(key.id, version, frame.writerIndex() - 4, lengthKept);
    for (var i = 1; i < ends.length; i++) {
      var piece =
          Unpooled.buffer().writeZero(3).writeBytes(frame, ends[i - 1], ends[i] - ends[i - 1]);
      var plain = skim.feed(piece, 3, piece.writerIndex());
      out.writeBytes(piece, 3, plain);
    }
    assertThat(skim.done()).isTrue();
    var tail = skim.takeTail();
    if (tail != null) {
      out.writeBytes(tail);
      tail.release();
    }
    out.setInt(0, out.getInt(0) + skim.lengthChange());
    assertThat(lengthKept && skim.lengthChange() != 0).isFalse();
    return out;
  }

  private @Nullable Endpoint advertised(int nodeId) {
    return nodeId < 0 || nodeId >= OUTSIDE ? null : new Endpoint(hostHere + nodeId, 9000 + nodeId);
  }
}
