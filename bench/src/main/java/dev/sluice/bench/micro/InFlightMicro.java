package dev.sluice.bench.micro;

import dev.sluice.proxy.InFlight;
import java.util.concurrent.TimeUnit;
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

/** What is kept of a request from its header until its answer is written. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class InFlightMicro {

  /** As Kafka's producer has them, per connection. */
  private static final int PIPELINED = 5;

  private static final short VERSION = 13;

  private final InFlight inFlight = new InFlight();
  private int correlationId;

  /** Five requests are asked, and then answered and written, one after the other. */
  @Benchmark
  public long fiveRequests() {
    for (int i = 0; i < PIPELINED; i++) {
      inFlight.ask(ApiKeys.PRODUCE.id, VERSION, correlationId++, false, correlationId);
    }
    long keys = 0;
    while (inFlight.awaitsResponse()) {
      long position = inFlight.duePosition();
      keys += inFlight.correlationId(position) + inFlight.apiKey(position);
      inFlight.receive();
      inFlight.answer();
      inFlight.writtenUpTo(inFlight.answeredPosition());
    }
    return keys;
  }

  /** How many are in flight: none, between two operations. */
  int inFlight() {
    return inFlight.size();
  }
}
