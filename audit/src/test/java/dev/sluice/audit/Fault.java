package dev.sluice.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.requests.RequestHeader;

/** What a relay does wrong with the requests of one connection. One object per connection. */
interface Fault {

  /** How often something is done wrong: to this many Produce requests, once. */
  int EVERY = 50;

  /**
   * Does with a request what it does.
   *
   * @return whether that was wrong
   */
  boolean on(byte[] frame, Wire wire) throws IOException, InterruptedException;

  /** Nothing. */
  record None() implements Fault {
    @Override
    public boolean on(byte[] frame, Wire wire) throws IOException {
      wire.forward(frame);
      return false;
    }
  }

  /** Does something wrong to one of so many Produce requests. */
  abstract class Now implements Fault {
    private int produced;

    @Override
    public final boolean on(byte[] frame, Wire wire) throws IOException, InterruptedException {
      boolean now = Wire.isProduce(frame) && ++produced % EVERY == 0;
      if (now) {
        wrong(frame, wire);
      } else {
        wire.forward(frame);
      }
      return now;
    }

    abstract void wrong(byte[] frame, Wire wire) throws IOException, InterruptedException;
  }

  /** Says that records are written, and drops them. */
  final class Loses extends Now {
    @Override
    void wrong(byte[] frame, Wire wire) throws IOException {
      ByteBuffer body = ByteBuffer.wrap(frame);
      RequestHeader header = RequestHeader.parse(body);
      var request = new ProduceRequestData(new ByteBufferAccessor(body), header.apiVersion());
      var answer = new ProduceResponseData();
      for (var topic : request.topicData()) {
        var partitions = new ArrayList<PartitionProduceResponse>();
        for (var partition : topic.partitionData()) {
          partitions.add(
              new PartitionProduceResponse().setIndex(partition.index()).setBaseOffset(0));
        }
        answer
            .responses()
            .add(
                new TopicProduceResponse()
                    .setName(topic.name())
                    .setTopicId(topic.topicId())
                    .setPartitionResponses(partitions));
      }
      wire.answer(Wire.response(header, answer));
    }
  }

  /** Forwards a request twice and swallows one of the answers. */
  final class Duplicates extends Now {
    private int correlationId = -2;

    @Override
    void wrong(byte[] frame, Wire wire) throws IOException {
      wire.forward(frame);
      wire.forwardUnanswered(Wire.withCorrelationId(frame, correlationId--));
    }
  }

  /** Lets the next Produce request overtake one, and gives each the answer of the other. */
  final class Reorders implements Fault {
    private byte[] held = new byte[0];
    private int produced;

    @Override
    public boolean on(byte[] frame, Wire wire) throws IOException {
      if (held.length > 0 && Wire.isProduce(frame)) {
        int first = Wire.header(held).correlationId();
        int second = Wire.header(frame).correlationId();
        wire.forward(Wire.withCorrelationId(frame, first));
        wire.forward(Wire.withCorrelationId(held, second));
        held = new byte[0];
        return true;
      }
      if (Wire.isProduce(frame) && ++produced % EVERY == 0) {
        held = frame;
      } else {
        wire.forward(frame);
      }
      return false;
    }
  }

  /** Reads nothing for a while. */
  final class Stalls extends Now {
    static final Duration STALL = Duration.ofMillis(1500);

    @Override
    void wrong(byte[] frame, Wire wire) throws IOException, InterruptedException {
      Thread.sleep(STALL);
      wire.forward(frame);
    }
  }

  /** Ends the connection with a request in it. */
  final class Breaks extends Now {
    @Override
    void wrong(byte[] frame, Wire wire) {
      wire.close();
    }
  }
}
