package dev.sluice.protocol;

import io.netty.buffer.ByteBufUtil;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;

/** Frames that parse, of every API and version that is offered to clients; their length first. */
public final class RandomFrames {

  /** Every API that clients may use. */
  public static final List<ApiKeys> APIS =
      ApiKeys.clientApis().stream().filter(api -> Apis.offered(api.id)).toList();

  private static final int CORRELATION_ID_OF_REQUEST_AT = 8;
  private static final int CORRELATION_ID_OF_RESPONSE_AT = 4;

  private final RandomGenerator random;

  public RandomFrames(RandomGenerator random) {
    this.random = random;
  }

  public byte[] request(ApiKeys api, short version, int correlationId) {
    var header = new RequestHeaderData().setClientId("client");
    var body = new Structs(random).struct(api.messageType.requestSchemas()[version]);
    var frame = ByteBufUtil.getBytes(Structs.request(api, version, header, body));
    ByteBuffer.wrap(frame).putInt(CORRELATION_ID_OF_REQUEST_AT, correlationId);
    return frame;
  }

  public byte[] response(ApiKeys api, short version, int correlationId) {
    var body = new Structs(random).struct(api.messageType.responseSchemas()[version]);
    var frame = ByteBufUtil.getBytes(Structs.response(api, version, random.nextBoolean(), body));
    ByteBuffer.wrap(frame).putInt(CORRELATION_ID_OF_RESPONSE_AT, correlationId);
    return frame;
  }
}
