package dev.sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.types.Schema;
import org.apache.kafka.common.protocol.types.TaggedFields;
import org.apache.kafka.common.protocol.types.Type;
import org.junit.jupiter.api.Test;

class ApisTest {

  /** Responses with a host and a port that go to the client as they are, and why. */
  static final Map<ApiKeys, String> LEFT =
      Map.of(
          ApiKeys.DESCRIBE_QUORUM,
              "listeners of controllers: shown to people, never connected to by a client of brokers",
          ApiKeys.STREAMS_GROUP_HEARTBEAT, "end points of the application's own instances",
          ApiKeys.STREAMS_GROUP_DESCRIBE, "end points of the application's own instances");

  @Test
  void every_response_with_a_host_and_a_port_is_rewritten_or_left_for_a_stated_reason() {
    var undecided = new ArrayList<String>();
    var left = new TreeSet<ApiKeys>();
    for (var key : offered()) {
      for (var version : key.allVersions()) {
        if (!Apis.known(key.id, version) || !namesAnEndpoint(Wire.responseSchema(key, version))) {
          continue;
        }
        if (LEFT.containsKey(key)) {
          left.add(key);
        } else if (Apis.responseTreatment(key.id, version) == ApiTreatment.OPAQUE) {
          undecided.add(key + " v" + version);
        }
      }
    }
    assertThat(undecided).isEmpty();
    assertThat(left)
        .as("stated reasons without need")
        .containsExactlyInAnyOrderElementsOf(LEFT.keySet());
  }

  @Test
  void nothing_is_looked_into_without_need() {
    for (var key : offered()) {
      for (var version : key.allVersions()) {
        var needless =
            key != ApiKeys.API_VERSIONS
                && Apis.responseTreatment(key.id, version) != ApiTreatment.OPAQUE
                && !namesAnEndpoint(Wire.responseSchema(key, version));
        assertThat(needless).as("%s v%s", key, version).isFalse();
      }
    }
  }

  @Test
  void what_a_broker_offers_by_default_is_offered_but_for_talk_between_brokers() {
    assertThat(
            Stream.of(ApiKeys.values())
                .filter(
                    key -> key.toApiVersionForApiResponse(false, ListenerType.BROKER).isPresent())
                .filter(key -> key.inScope(ListenerType.BROKER))
                .filter(key -> !Apis.offered(key.id)))
        .containsExactlyInAnyOrder(
            ApiKeys.INITIALIZE_SHARE_GROUP_STATE,
            ApiKeys.READ_SHARE_GROUP_STATE,
            ApiKeys.WRITE_SHARE_GROUP_STATE,
            ApiKeys.DELETE_SHARE_GROUP_STATE,
            ApiKeys.READ_SHARE_GROUP_STATE_SUMMARY);
    assertThat(offered()).hasSize(74).allMatch(key -> key.inScope(ListenerType.BROKER));
  }

  @Test
  void ranges_and_header_versions_are_those_of_kafka() {
    for (var key : offered()) {
      assertThat(Apis.name(key.id)).isEqualTo(key.name);
      assertThat(Apis.oldest(key.id)).isEqualTo(key.oldestVersion());
      assertThat(Apis.newest(key.id)).isEqualTo(key.latestVersion(false));
      for (var version = Apis.oldest(key.id); version <= Apis.newest(key.id); version++) {
        assertThat(Apis.requestHeaderVersion(key.id, version))
            .isEqualTo(key.requestHeaderVersion(version));
        assertThat(Apis.responseHeaderVersion(key.id, version))
            .isEqualTo(key.responseHeaderVersion(version));
      }
    }
  }

  @Test
  void no_key_and_no_version_is_out_of_bounds() {
    for (var key = -2; key <= Short.MAX_VALUE; key++) {
      for (var version : new short[] {Short.MIN_VALUE, -1, 0, 9, 99, Short.MAX_VALUE}) {
        var known = Apis.known((short) key, version);
        assertThat(Apis.requestHeaderVersion((short) key, version) != Apis.NONE).isEqualTo(known);
        assertThat(Apis.responseHeaderVersion((short) key, version) != Apis.NONE).isEqualTo(known);
        assertThat(Apis.responseTreatment((short) key, version)).isNotNull();
      }
    }
    assertThat(Apis.name((short) 4)).isEqualTo("unknown");
    assertThat(Apis.oldest((short) -1)).isEqualTo(Apis.NONE);
    assertThat(Apis.newest(Short.MAX_VALUE)).isEqualTo(Apis.NONE);
  }

  @Test
  void unstable_versions_are_not_offered() {
    assertThat(
            Apis.known(ApiKeys.INIT_PRODUCER_ID.id, ApiKeys.INIT_PRODUCER_ID.latestVersion(true)))
        .isFalse();
  }

  private static List<ApiKeys> offered() {
    return Stream.of(ApiKeys.values()).filter(key -> Apis.offered(key.id)).toList();
  }

  private static boolean namesAnEndpoint(Type type) {
    if (type instanceof Schema schema) {
      var fields = Stream.of(schema.fields()).map(bound -> bound.def).toList();
      var names = fields.stream().map(field -> field.name).toList();
      return names.containsAll(List.of("host", "port"))
          || fields.stream().anyMatch(field -> namesAnEndpoint(field.type));
    }
    if (type instanceof TaggedFields tagged) {
      return tagged.fields().values().stream().anyMatch(field -> namesAnEndpoint(field.type));
    }
    return type.arrayElementType().map(ApisTest::namesAnEndpoint).orElse(false);
  }
}
