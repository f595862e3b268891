package dev.sluice.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.JoinGroupRequest;
import org.apache.kafka.common.requests.SyncGroupRequest;

/**
 * Ends the waits that a group coordinator may draw out for minutes: a member that joins, or waits
 * for its assignment, is told that the coordinator is another one now. It looks it up and joins
 * again, quietly. No state; any thread may call.
 */
public final class GroupWait {

  private GroupWait() {}

  /**
   * Answers a JoinGroup or SyncGroup request that a broker has and does not answer.
   *
   * @param key of JoinGroup or SyncGroup
   * @param version of the request, a known one
   * @param correlationId of the request
   * @param throttleMillis how long the client is to pause, in milliseconds
   * @return a new frame, its length first; the caller owns it
   */
  public static ByteBuf answer(
      short key, short version, int correlationId, int throttleMillis, ByteBufAllocator allocator) {
    AbstractRequest asked =
        switch (ApiKeys.forId(key)) {
          case JOIN_GROUP -> new JoinGroupRequest(new JoinGroupRequestData(), version);
          case SYNC_GROUP -> new SyncGroupRequest(new SyncGroupRequestData(), version);
          default ->
              throw new IllegalArgumentException(
                  "expected JoinGroup or SyncGroup, found " + Apis.name(key));
        };
    var answer = asked.getErrorResponse(0, Errors.NOT_COORDINATOR.exception());
    if (Throttle.carried(key, version)) {
      answer.maybeSetThrottleTimeMs(throttleMillis);
    }
    var header = new ResponseHeaderData().setCorrelationId(correlationId);
    var headerVersion = Apis.responseHeaderVersion(key, version);
    return Messages.framed(header, headerVersion, answer.data(), version, allocator);
  }
}
