package dev.sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

/** What every request and response goes through allocates nothing. */
class AllocationTest {

  private static final int TIMES = 20_000;

  /** Less than a byte each: what the virtual machine itself does in between. */
  private static final long TOLERATED_BYTES = TIMES / 2;

  private interface Work {
    void run() throws MalformedFrameException;
  }

  @Test
  void a_peek_allocates_nothing() throws MalformedFrameException {
    var body = new ProduceRequestData().setAcks((short) -1).setTransactionalId("tx");
    var frame = untracked(Wire.request(ApiKeys.PRODUCE, (short) 13, "client", body));
    var peek = new RequestPeek(1 << 20);
    assertThat(allocatedBytes(() -> peek.peek(frame, 0, frame.writerIndex())))
        .isLessThan(TOLERATED_BYTES);
  }

  @Test
  void a_peek_into_a_fetch_allocates_nothing() throws MalformedFrameException {
    var body = new ShareFetchRequestData().setGroupId("group").setMemberId("member");
    body.topics().add(new ShareFetchRequestData.FetchTopic().setTopicId(new Uuid(1, 1)));
    var share = untracked(Wire.request(ApiKeys.SHARE_FETCH, (short) 2, "client", body));
    var plain =
        untracked(Wire.request(ApiKeys.FETCH, (short) 18, "client", new FetchRequestData()));
    var peek = new FetchPeek();
    assertThat(
            allocatedBytes(
                () -> {
                  peek.peek(share, 0, share.writerIndex());
                  peek.peek(plain, 0, plain.writerIndex());
                }))
        .isLessThan(TOLERATED_BYTES);
  }

  @Test
  void a_look_up_allocates_nothing() throws MalformedFrameException {
    assertThat(
            allocatedBytes(
                () -> {
                  Apis.known((short) 1, (short) 16);
                  Apis.responseTreatment((short) 1, (short) 16);
                  Apis.requestHeaderVersion((short) 1, (short) 16);
                  Apis.name((short) 1);
                  Apis.name((short) 4);
                }))
        .isLessThan(TOLERATED_BYTES);
  }

  @Test
  void a_skim_without_end_points_allocates_nothing() throws MalformedFrameException {
    for (var key : Skimmed.keys()) {
      var version = Skimmed.versions(key).getLast();
      var message = new Skimmed(new SplittableRandom(7), 1_000).response(key, version, List.of());
      var frame = untracked(Wire.response(key, version, message));
      var skim =
          new EndpointSkim(
              id -> null, (id, host, port, rack) -> {}, UnpooledByteBufAllocator.DEFAULT);
      var middle = frame.writerIndex() / 2;
      Work work =
          () -> {
            skim.begin(key.id, version, frame.writerIndex() - 4, true);
            skim.feed(frame, 4, middle);
            skim.feed(frame, middle, frame.writerIndex());
          };
      assertThat(allocatedBytes(work)).as(key.name).isLessThan(TOLERATED_BYTES);
    }
  }

  @Test
  void a_stamp_allocates_nothing() throws MalformedFrameException {
    var version = (short) 13;
    var message =
        new Skimmed(new SplittableRandom(7), 10).response(ApiKeys.PRODUCE, version, List.of());
    var frame = untracked(Wire.response(ApiKeys.PRODUCE, version, message));
    var stamp = new ThrottleStamp();
    Work work =
        () -> {
          stamp.begin(ApiKeys.PRODUCE.id, version, frame.writerIndex() - 4, 100);
          stamp.feed(frame, 4, 20);
          stamp.feed(frame, 20, frame.writerIndex());
        };
    assertThat(allocatedBytes(work)).isLessThan(TOLERATED_BYTES);
    assertThat(
            allocatedBytes(
                () -> {
                  Throttle.carried((short) 1, (short) 16);
                  Throttle.honoured((short) 1, (short) 16);
                }))
        .isLessThan(TOLERATED_BYTES);
  }

  /** The leak detector, which tests have on, allocates for each access. */
  private static ByteBuf untracked(ByteBuf frame) {
    var bytes = new byte[frame.readableBytes()];
    frame.readBytes(bytes);
    return Unpooled.wrappedBuffer(bytes);
  }

  private static long allocatedBytes(Work work) throws MalformedFrameException {
    repeat(work);
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    var before = threads.getCurrentThreadAllocatedBytes();
    repeat(work);
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  private static void repeat(Work work) throws MalformedFrameException {
    for (var i = 0; i < TIMES; i++) {
      work.run();
    }
  }
}
