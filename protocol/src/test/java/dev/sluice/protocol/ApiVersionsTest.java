package dev.sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.FinalizedFeatureKey;
import org.apache.kafka.common.message.ApiVersionsResponseData.SupportedFeatureKey;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ApiVersionsTest {

  private static final List<Short> VERSIONS = ApiKeys.API_VERSIONS.allVersions();

  private final CountedBuffers buffers = new CountedBuffers();

  @AfterEach
  void every_buffer_is_given_back() {
    buffers.allAreBack();
  }

  @Test
  void ranges_are_cut_and_unknown_apis_hidden() throws MalformedFrameException {
    for (var version : VERSIONS) {
      var broker = new ApiVersionsResponseData();
      broker.apiKeys().add(range(0, 0, 99));
      broker.apiKeys().add(range(1, 0, 11));
      broker.apiKeys().add(range(3, 5, 8));
      broker.apiKeys().add(range(4, 0, 7));
      broker.apiKeys().add(range(8, 0, 1));
      broker.apiKeys().add(range(52, 0, 2));
      broker.apiKeys().add(range(84, 0, 0));
      broker.apiKeys().add(range(22, 0, 6));
      broker.apiKeys().add(range(999, 0, 3));
      assertThat(narrowed(version, version, broker).apiKeys())
          .containsExactly(range(0, 0, 13), range(1, 4, 11), range(3, 5, 8), range(22, 0, 5));
    }
  }

  @Test
  void features_throttle_and_errors_stay() throws MalformedFrameException {
    for (var version : VERSIONS) {
      var broker = new ApiVersionsResponseData();
      broker.apiKeys().add(range(18, 0, 5));
      broker
          .setThrottleTimeMs(version >= 1 ? 9 : 0)
          .setErrorCode((short) (version >= 5 ? 129 : 42));
      if (version >= 3) {
        broker
            .supportedFeatures()
            .add(
                new SupportedFeatureKey()
                    .setName("kraft.version")
                    .setMinVersion((short) 1)
                    .setMaxVersion((short) 2));
        broker
            .finalizedFeatures()
            .add(
                new FinalizedFeatureKey()
                    .setName("metadata.version")
                    .setMinVersionLevel((short) 7)
                    .setMaxVersionLevel((short) 25));
        broker.setFinalizedFeaturesEpoch(77L).setZkMigrationReady(true);
      }
      assertThat(narrowed(version, version, broker)).as("v%s", version).isEqualTo(broker);
    }
  }

  @Test
  void a_broker_that_does_not_know_the_version_answers_in_version_0()
      throws MalformedFrameException {
    var broker = new ApiVersionsResponseData().setErrorCode((short) 35);
    broker.apiKeys().add(range(18, 0, 9));
    for (var asked : VERSIONS) {
      var answer = narrowed(asked, (short) 0, broker);
      assertThat(answer.errorCode()).isEqualTo((short) 35);
      assertThat(answer.apiKeys()).containsExactly(range(18, 0, 5));
    }
  }

  @Test
  void the_own_answer_to_an_unknown_version_is_readable_in_version_0() {
    var frame = ApiVersions.unsupported(Wire.CORRELATION_ID, buffers.allocator);
    var answer = (ApiVersionsResponseData) Wire.parse(ApiKeys.API_VERSIONS, (short) 0, frame);
    frame.release();
    assertThat(answer.errorCode()).isEqualTo((short) 35);
    assertThat(answer.apiKeys()).containsExactly(range(18, 0, 5));
  }

  @Test
  void any_changed_or_missing_byte_is_narrowed_or_malformed() {
    for (var version : VERSIONS) {
      var broker = new ApiVersionsResponseData();
      broker.apiKeys().add(range(0, 0, 9));
      broker.apiKeys().add(range(18, 0, 5));
      var original = Wire.responseBody(ApiKeys.API_VERSIONS, version, broker);
      for (var i = 0; i < original.readableBytes(); i++) {
        for (var value = 0; value < 256; value++) {
          var body = original.copy().setByte(i, value);
          try {
            ApiVersions.narrowed(version, body, buffers.allocator).release();
          } catch (MalformedFrameException e) {
            assertThat(e).hasMessageContaining("ApiVersions");
          }
        }
        var cut = original.slice(original.readerIndex(), i);
        assertThatThrownBy(() -> ApiVersions.narrowed(version, cut, buffers.allocator))
            .isInstanceOf(MalformedFrameException.class);
      }
    }
  }

  private ApiVersionsResponseData narrowed(
      short asked, short spoken, ApiVersionsResponseData broker) throws MalformedFrameException {
    var body = Wire.responseBody(ApiKeys.API_VERSIONS, spoken, broker);
    var frame = ApiVersions.narrowed(asked, body, buffers.allocator);
    try {
      return (ApiVersionsResponseData) Wire.parse(ApiKeys.API_VERSIONS, spoken, frame);
    } finally {
      frame.release();
    }
  }

  private static ApiVersion range(int key, int oldest, int newest) {
    return new ApiVersion()
        .setApiKey((short) key)
        .setMinVersion((short) oldest)
        .setMaxVersion((short) newest);
  }
}
