package dev.sluice.bench.micro;

import dev.sluice.protocol.Endpoint;
import dev.sluice.protocol.EndpointSkim;
import dev.sluice.protocol.MalformedFrameException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.NodeEndpoint;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The walk through a Fetch response of 1,000 partitions (ten topics) with 1,000 bytes of records
 * each, as it comes from a socket: a megabyte in pieces of 64 KiB.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class EndpointSkimMicro {

  private static final short FETCH_VERSION = 17;
  private static final short PRODUCE_VERSION = 12;
  private static final int TOPICS = 10;
  private static final int PARTITIONS_PER_TOPIC = 100;
  private static final int RECORD_BYTES_PER_PARTITION = 1_000;
  private static final int PIECE_BYTES = 64 << 10;
  private static final Endpoint HERE = new Endpoint("broker.here.example", 9092);

  private final EndpointSkim skim =
      new EndpointSkim(_ -> HERE, (_, _, _, _) -> {}, ByteBufAllocator.DEFAULT);
  private final ByteBuf unnamed = fetched(0);
  private final ByteBuf named = fetched(3);
  private final ByteBuf produced = produced();

  /** As nearly always: nobody moved, so that no broker is named. */
  @Benchmark
  public int withoutEndPoints() throws MalformedFrameException {
    return skimmed(ApiKeys.FETCH, FETCH_VERSION, unnamed);
  }

  /** After leaders have moved: three brokers are named and replaced. */
  @Benchmark
  public int withThreeEndPoints() throws MalformedFrameException {
    return skimmed(ApiKeys.FETCH, FETCH_VERSION, named);
  }

  /** The answer to a Produce request for 1,000 partitions: nothing went wrong. */
  @Benchmark
  public int produceWithoutEndPoints() throws MalformedFrameException {
    return skimmed(ApiKeys.PRODUCE, PRODUCE_VERSION, produced);
  }

  /** Returns by how many bytes the response would become longer. */
  private int skimmed(ApiKeys api, short version, ByteBuf frame) throws MalformedFrameException {
    int end = frame.writerIndex();
    skim.begin(api.id, version, end - Frames.LENGTH_BYTES, false);
    for (int from = Frames.LENGTH_BYTES; from < end; from += PIECE_BYTES) {
      skim.feed(frame, from, Math.min(from + PIECE_BYTES, end));
    }
    ByteBuf tail = skim.takeTail();
    if (tail != null) {
      tail.release();
    }
    return skim.lengthChange();
  }

  private static ByteBuf produced() {
    var topic =
        new TopicProduceResponse()
            .setName("measured")
            .setPartitionResponses(
                IntStream.range(0, TOPICS * PARTITIONS_PER_TOPIC)
                    .mapToObj(
                        partition ->
                            new PartitionProduceResponse().setIndex(partition).setBaseOffset(1_000))
                    .toList());
    var response = new ProduceResponseData();
    response.responses().add(topic);
    return Frames.response(ApiKeys.PRODUCE, PRODUCE_VERSION, response);
  }

  private static ByteBuf fetched(int brokersNamed) {
    List<FetchableTopicResponse> topics =
        IntStream.range(0, TOPICS)
            .mapToObj(
                topic ->
                    new FetchableTopicResponse()
                        .setTopicId(new Uuid(1, topic))
                        .setPartitions(partitions()))
            .toList();
    FetchResponseData response = new FetchResponseData().setResponses(topics);
    for (int id = 0; id < brokersNamed; id++) {
      response
          .nodeEndpoints()
          .add(
              new NodeEndpoint()
                  .setNodeId(id)
                  .setHost("broker-" + id + ".there.example")
                  .setPort(9092)
                  .setRack("a"));
    }
    return Frames.response(ApiKeys.FETCH, FETCH_VERSION, response);
  }

  private static List<PartitionData> partitions() {
    return IntStream.range(0, PARTITIONS_PER_TOPIC)
        .mapToObj(
            partition ->
                new PartitionData()
                    .setPartitionIndex(partition)
                    .setHighWatermark(1_000)
                    .setRecords(
                        MemoryRecords.readableRecords(
                            ByteBuffer.allocate(RECORD_BYTES_PER_PARTITION))))
        .toList();
  }
}
