package dev.sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.protocol.EndpointTail.Node;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EndpointTailTest {

  private final CountedBuffers buffers = new CountedBuffers();

  @AfterEach
  void every_buffer_is_given_back() {
    buffers.allAreBack();
  }

  @Test
  void every_length_that_an_end_point_leaves_can_be_filled() {
    for (var tagged : new boolean[] {true, false}) {
      for (var others : List.of(tags(0), tags(2))) {
        IntStream.of(0, 95, 115, 220, 16_360)
            .flatMap(from -> IntStream.range(from, from + 25))
            .mapToObj(bytes -> List.of(new Node(1, "x".repeat(bytes), 9, null)))
            .forEach(nodes -> emptiedWithin(new EndpointTail(tagged, nodes, others)));
      }
    }
  }

  @Test
  void a_filler_may_need_a_longer_count_of_fields() {
    for (var others : List.of(tags(126), tags(127), tags(128))) {
      emptiedWithin(new EndpointTail(false, List.of(new Node(1, "there", 9, null)), others));
      emptiedWithin(new EndpointTail(true, List.of(new Node(1, "there", 9, null)), others));
    }
  }

  @Test
  void what_is_written_is_read_again() {
    for (var tagged : new boolean[] {true, false}) {
      var nodes =
          List.of(
              new Node(1, "é", 9, "räck"),
              new Node(2, "", -1, null),
              new Node(3, "x".repeat(200), 65_535, ""));
      var tail = new EndpointTail(tagged, nodes, tags(2));
      var out = tail.write(buffers.allocator);
      assertThat(EndpointTail.read(tagged, out.nioBuffer())).isEqualTo(tail);
      out.release();
    }
  }

  @Test
  void tags_that_do_not_ascend_are_malformed() {
    assertThatThrownBy(() -> EndpointTail.read(true, ByteBuffer.wrap(new byte[] {2, 5, 0, 5, 0})))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> EndpointTail.read(true, ByteBuffer.wrap(new byte[] {2, 5, 0, 0, 1, 1})))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private void emptiedWithin(EndpointTail given) {
    var whole = given.write(buffers.allocator);
    var length = whole.readableBytes();
    whole.release();
    var none = given.replaced(id -> null, (id, host, port, rack) -> {});
    var out = none.writeWithin(length, buffers.allocator);
    assertThat(out.readableBytes()).isEqualTo(length);
    var read = EndpointTail.read(given.tagged(), out.nioBuffer());
    out.release();
    assertThat(read.nodes()).isEmpty();
    assertThat(read.others().subList(0, given.others().size())).isEqualTo(given.others());
    assertThat(read.others().size() - given.others().size()).isBetween(1, 2);
  }

  private static List<RawTaggedField> tags(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new RawTaggedField(100 + 7_000 * i, new byte[i % 3]))
        .toList();
  }
}
