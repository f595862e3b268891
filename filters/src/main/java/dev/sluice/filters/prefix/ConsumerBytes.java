package dev.sluice.filters.prefix;

import java.nio.ByteBuffer;
import org.apache.kafka.common.message.ConsumerProtocolAssignment;
import org.apache.kafka.common.message.ConsumerProtocolSubscription;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageSizeAccumulator;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.jspecify.annotations.Nullable;

/**
 * What members of a classic group of consumers tell each other through the broker: what they
 * subscribe to, and who gets what. Opaque to the protocol, and yet full of topics' names; brokers
 * read the subscriptions.
 *
 * <p>Bytes that are not of the consumers' protocol stay as they are. SyncGroup below version 5 does
 * not say of which protocol they are, but they have to parse to the last byte, which those of
 * others do not. A later version of the protocol may only add fields at the end; these stay.
 */
final class ConsumerBytes {

  /** How members of a classic group say that they are consumers. */
  static final String PROTOCOL_TYPE = "consumer";

  private static final short NEWEST = ConsumerProtocolSubscription.HIGHEST_SUPPORTED_VERSION;

  /** What comes behind the fields that are known. */
  private record Tail(short version, ByteBuffer bytes) {}

  private ConsumerBytes() {}

  /** Whether it may be consumers that talk; older requests do not say. */
  static boolean mayBe(@Nullable String protocolType) {
    return protocolType == null || protocolType.equals(PROTOCOL_TYPE);
  }

  static byte[] subscriptionOut(byte[] bytes, Prefix prefix) {
    var body = new ConsumerProtocolSubscription();
    var tail = read(bytes, body);
    if (tail == null) {
      return bytes;
    }
    body.setTopics(prefix.out(body.topics()));
    Prefix.rename(body.ownedPartitions(), each -> each.setTopic(prefix.out(each.topic())));
    return written(body, tail);
  }

  static byte[] subscriptionIn(byte[] bytes, Prefix prefix) {
    var body = new ConsumerProtocolSubscription();
    var tail = read(bytes, body);
    if (tail == null) {
      return bytes;
    }
    body.setTopics(prefix.in(body.topics()));
    body.ownedPartitions().removeIf(each -> !prefix.owns(each.topic()));
    Prefix.rename(body.ownedPartitions(), each -> each.setTopic(prefix.in(each.topic())));
    return written(body, tail);
  }

  static byte[] assignmentOut(byte[] bytes, Prefix prefix) {
    var body = new ConsumerProtocolAssignment();
    var tail = read(bytes, body);
    if (tail == null) {
      return bytes;
    }
    Prefix.rename(body.assignedPartitions(), each -> each.setTopic(prefix.out(each.topic())));
    return written(body, tail);
  }

  static byte[] assignmentIn(byte[] bytes, Prefix prefix) {
    var body = new ConsumerProtocolAssignment();
    var tail = read(bytes, body);
    if (tail == null) {
      return bytes;
    }
    body.assignedPartitions().removeIf(each -> !prefix.owns(each.topic()));
    Prefix.rename(body.assignedPartitions(), each -> each.setTopic(prefix.in(each.topic())));
    return written(body, tail);
  }

  /** Returns null if the bytes are something else. */
  private static @Nullable Tail read(byte[] bytes, Message body) {
    if (bytes.length < Short.BYTES) {
      return null;
    }
    var in = ByteBuffer.wrap(bytes);
    short version = in.getShort();
    if (version < 0) {
      return null;
    }
    try {
      body.read(new ByteBufferAccessor(in), known(version));
    } catch (RuntimeException _) {
      // The message classes throw whatever comes up.
      return null;
    }
    return in.hasRemaining() && version <= NEWEST ? null : new Tail(version, in.slice());
  }

  private static short known(short version) {
    return version < NEWEST ? version : NEWEST;
  }

  private static byte[] written(Message body, Tail tail) {
    short version = known(tail.version());
    var cache = new ObjectSerializationCache();
    var size = new MessageSizeAccumulator();
    body.addSize(size, cache, version);
    var bytes = ByteBuffer.allocate(Short.BYTES + size.totalSize() + tail.bytes().remaining());
    bytes.putShort(tail.version());
    body.write(new ByteBufferAccessor(bytes), cache, version);
    return bytes.put(tail.bytes()).array();
  }
}
