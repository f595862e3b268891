package dev.sluice.bench.micro;

import dev.sluice.protocol.RequestPeek;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The look at the head that every request gets. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RequestPeekMicro {

  private static final int MAX_FRAME_BYTES = 100 << 20;
  private static final String CLIENT_ID = "a client with a name";

  private final RequestPeek peek = new RequestPeek(MAX_FRAME_BYTES);
  private final ByteBuf fetch =
      Frames.request(ApiKeys.FETCH, (short) 17, CLIENT_ID, new FetchRequestData());
  private final ByteBuf produce =
      Frames.request(
          ApiKeys.PRODUCE,
          (short) 13,
          CLIENT_ID,
          new ProduceRequestData().setAcks((short) -1).setTransactionalId("a transaction"));

  /** What most requests need: the first 12 bytes. */
  @Benchmark
  public RequestPeek.Outcome fetch() {
    return peek.peek(fetch, 0, fetch.writerIndex());
  }

  /** What only Produce needs: its acks, behind the ids of client and transaction. */
  @Benchmark
  public RequestPeek.Outcome produce() {
    return peek.peek(produce, 0, produce.writerIndex());
  }
}
