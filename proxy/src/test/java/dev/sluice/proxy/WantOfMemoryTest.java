package dev.sluice.proxy;

import static org.awaitility.Awaitility.await;

import dev.sluice.filter.RequestVerdict;
import dev.sluice.filter.ResponseVerdict;
import dev.sluice.filter.Wanted;
import java.io.IOException;
import java.util.AbstractList;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

/**
 * No memory is left for what a filter changed, by a made-up failure: others want it, too, so its
 * connection goes. {@link DirectMemoryTest} has a proxy that really has too little.
 */
class WantOfMemoryTest {

  private static final int VERSION = 5;

  /** For what holds it no memory is left when that is written. */
  private static final class Wanting<T> extends AbstractList<T> {
    @Override
    public T get(int index) {
      throw new OutOfMemoryError("made up");
    }

    @Override
    public int size() {
      return 1;
    }
  }

  @Test
  void a_request_for_which_no_memory_is_left_ends_its_connection() throws Exception {
    var filter =
        new ScriptedFilter(Wanted.NOTHING.andRequests(ApiKeys.LEAVE_GROUP))
            .onRequest(
                (_, _) ->
                    RequestVerdict.forward(
                        new LeaveGroupRequestData().setMembers(new Wanting<>())));
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker, filter);
        var client = proxy.connect()) {
      client.write(leave());
      proxy.awaitDisconnect(DisconnectCause.NO_MEMORY);
      await().until(() -> proxy.view().connections(), connections -> connections == 0);
    }
  }

  @Test
  void a_response_for_which_no_memory_is_left_ends_its_connection() throws Exception {
    var filter =
        new ScriptedFilter(Wanted.NOTHING.andResponses(ApiKeys.LEAVE_GROUP))
            .onResponse(
                (_, _) ->
                    ResponseVerdict.forward(
                        new LeaveGroupResponseData().setMembers(new Wanting<>())));
    var response = Frames.response(ApiKeys.LEAVE_GROUP, VERSION, 1, new LeaveGroupResponseData());
    try (var broker = new StubBroker(client -> answerOnce(client, response));
        var proxy = ProxyUnderTest.inFrontOf(broker, filter);
        var client = proxy.connect()) {
      client.write(leave());
      proxy.awaitDisconnect(DisconnectCause.NO_MEMORY);
      await().until(() -> proxy.view().connections(), connections -> connections == 0);
    }
  }

  private static byte[] leave() {
    return Frames.request(
        ApiKeys.LEAVE_GROUP, VERSION, 1, new LeaveGroupRequestData().setGroupId("g"));
  }

  private static void answerOnce(Peer client, byte[] response) throws IOException {
    client.frame();
    client.write(response);
    client.readToEnd();
  }
}
