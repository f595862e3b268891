package dev.sluice.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageSizeAccumulator;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/**
 * The question that the proxy asks on its own account: which brokers are there, and of which
 * cluster? It is a Metadata request about no topics, in a version that every broker since Kafka
 * 0.10.1 answers.
 */
public final class BrokerQuestion {

  /** The API of the question. */
  public static final short API_KEY = ApiKeys.METADATA.id;

  /** The oldest version in which the cluster tells its id; an empty list means no topics in it. */
  public static final short VERSION = 2;

  private static final short HEADER_VERSION = 1;
  private static final String CLIENT_ID = "sluice-discovery";

  private BrokerQuestion() {}

  /**
   * The id of the cluster, if the answer tells it.
   *
   * @param answer without its length; neither changed nor released
   * @throws MalformedFrameException if it cannot be read
   */
  public static Optional<String> clusterId(ByteBuf answer) throws MalformedFrameException {
    var message = new MetadataResponseData();
    var _ = Messages.read(answer, Apis.responseHeaderVersion(API_KEY, VERSION), message, VERSION);
    return Optional.ofNullable(message.clusterId());
  }

  /** The request, its length first; the caller owns it. */
  public static ByteBuf frame(ByteBufAllocator allocator) {
    var header =
        new RequestHeaderData()
            .setRequestApiKey(API_KEY)
            .setRequestApiVersion(VERSION)
            .setCorrelationId(0)
            .setClientId(CLIENT_ID);
    var body = new MetadataRequestData().setTopics(List.of());
    var cache = new ObjectSerializationCache();
    var size = new MessageSizeAccumulator();
    header.addSize(size, cache, HEADER_VERSION);
    body.addSize(size, cache, VERSION);
    int length = FrameCheck.LENGTH_BYTES + size.totalSize();
    var frame = allocator.buffer(length, length);
    frame.writeInt(size.totalSize());
    var out = new ByteBufferAccessor(frame.nioBuffer(FrameCheck.LENGTH_BYTES, size.totalSize()));
    header.write(out, cache, HEADER_VERSION);
    body.write(out, cache, VERSION);
    return frame.writerIndex(length);
  }
}
