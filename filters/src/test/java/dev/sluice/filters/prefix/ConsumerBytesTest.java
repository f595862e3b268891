package dev.sluice.filters.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Kafka's own consumer writes and reads. */
class ConsumerBytesTest {

  private static final Prefix PREFIX = new Prefix("team-a.");

  @ParameterizedTest
  @ValueSource(shorts = {0, 1, 2, 3})
  void a_subscription_gets_the_prefix_and_loses_it_again(short version) {
    var plain = bytes(ConsumerProtocol.serializeSubscription(subscription("orders"), version));
    var out = ConsumerBytes.subscriptionOut(plain, PREFIX);
    var read = ConsumerProtocol.deserializeSubscription(ByteBuffer.wrap(out));
    assertThat(read.topics()).containsExactly("team-a.orders");
    assertThat(read.userData()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2}));
    if (version >= 1) {
      assertThat(read.ownedPartitions()).containsExactly(new TopicPartition("team-a.orders", 7));
    }
    assertThat(ConsumerBytes.subscriptionIn(out, PREFIX)).isEqualTo(plain);
  }

  @ParameterizedTest
  @ValueSource(shorts = {0, 1, 2, 3})
  void an_assignment_gets_the_prefix_and_loses_it_again(short version) {
    var assignment =
        new Assignment(
            List.of(new TopicPartition("orders", 0), new TopicPartition("orders", 1)),
            ByteBuffer.wrap(new byte[] {3}));
    var plain = bytes(ConsumerProtocol.serializeAssignment(assignment, version));
    var out = ConsumerBytes.assignmentOut(plain, PREFIX);
    assertThat(ConsumerProtocol.deserializeAssignment(ByteBuffer.wrap(out)).partitions())
        .containsExactly(
            new TopicPartition("team-a.orders", 0), new TopicPartition("team-a.orders", 1));
    assertThat(ConsumerBytes.assignmentIn(out, PREFIX)).isEqualTo(plain);
  }

  @Test
  void the_topics_of_other_tenants_are_left_out() {
    var theirs = bytes(ConsumerProtocol.serializeSubscription(subscription("team-b.x"), (short) 3));
    var in = ConsumerBytes.subscriptionIn(theirs, PREFIX);
    var read = ConsumerProtocol.deserializeSubscription(ByteBuffer.wrap(in));
    assertThat(read.topics()).isEmpty();
    assertThat(read.ownedPartitions()).isEmpty();
  }

  @Test
  void what_a_later_version_adds_at_the_end_stays() {
    var known = bytes(ConsumerProtocol.serializeSubscription(subscription("orders"), (short) 3));
    var later = ByteBuffer.allocate(known.length + 3).put(known).put(new byte[] {7, 8, 9}).array();
    later[1] = 4;
    var out = ConsumerBytes.subscriptionOut(later, PREFIX);
    assertThat(out).endsWith(7, 8, 9).hasSize(later.length + 2 * PREFIX.text().length());
    assertThat(ConsumerBytes.subscriptionIn(out, PREFIX)).isEqualTo(later);
  }

  @ParameterizedTest
  @MethodSource("others")
  void what_is_not_of_consumers_stays_as_it_is(byte[] bytes) {
    assertThat(ConsumerBytes.subscriptionOut(bytes, PREFIX)).isSameAs(bytes);
    assertThat(ConsumerBytes.assignmentOut(bytes, PREFIX)).isSameAs(bytes);
    assertThat(ConsumerBytes.assignmentIn(bytes, PREFIX)).isSameAs(bytes);
  }

  static Stream<byte[]> others() {
    var url = "http://worker-1:8083/".getBytes(StandardCharsets.UTF_8);
    var connect = ByteBuffer.allocate(4 + url.length + 8);
    connect.putShort((short) 0).putShort((short) url.length).put(url).putLong(42);
    return Stream.of(
        new byte[0],
        new byte[] {0},
        new byte[] {0, 0},
        connect.array(),
        "{\"master\":\"a\"}".getBytes(StandardCharsets.UTF_8),
        new byte[] {0, 0, 127, -1, -1, -1, 0, 1},
        new byte[] {-1, -1, 0, 0, 0, 0, 0, 0, 0, 0});
  }

  private static Subscription subscription(String topic) {
    return new Subscription(
        List.of(topic),
        ByteBuffer.wrap(new byte[] {1, 2}),
        List.of(new TopicPartition(topic, 7)),
        5,
        Optional.of("rack"));
  }

  private static byte[] bytes(ByteBuffer buffer) {
    var bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
