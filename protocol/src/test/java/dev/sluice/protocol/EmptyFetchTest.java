package dev.sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EmptyFetchTest {

  private final CountedBuffers buffers = new CountedBuffers();

  @AfterEach
  void every_buffer_is_given_back() {
    buffers.allAreBack();
  }

  @Test
  void an_empty_answer_names_the_session_and_the_pause_and_nothing_else() {
    for (var version : ApiKeys.FETCH.allVersions()) {
      for (var session : new int[] {0, 77, -1}) {
        var frame =
            EmptyFetch.answer(version, Wire.CORRELATION_ID, 100, session, buffers.allocator);
        assertThat(Wire.parse(ApiKeys.FETCH, version, frame))
            .as("v" + version)
            .isEqualTo(
                new FetchResponseData()
                    .setThrottleTimeMs(100)
                    .setSessionId(version >= 7 ? session : 0));
        frame.release();
      }
    }
  }

  @Test
  void an_empty_share_answer_tells_the_pause_and_nothing_else() {
    for (var version : ApiKeys.SHARE_FETCH.allVersions()) {
      var frame = EmptyFetch.shareAnswer(version, Wire.CORRELATION_ID, 100, buffers.allocator);
      assertThat(Wire.parse(ApiKeys.SHARE_FETCH, version, frame))
          .isEqualTo(new ShareFetchResponseData().setThrottleTimeMs(100));
      frame.release();
    }
  }
}
