package dev.sluice.filters.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.filter.Exchange;
import dev.sluice.filter.Forward;
import dev.sluice.filter.RequestHeader;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageSizeAccumulator;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds the rows against Kafka's specifications: every field that they say is a topic, a group or a
 * transactional id, in every message and version that a client can send or get.
 */
class EveryNameTest {

  private static final String PREFIX = "team-a.";
  private static final String OTHER = "team-b.";

  /**
   * Fields that are no tenant's: the log of the controllers has a topic's name, the same for all.
   */
  private static final Set<String> LEFT_ALONE =
      Set.of("DescribeQuorumRequest:Topics.TopicName", "DescribeQuorumResponse:Topics.TopicName");

  /**
   * Fields that hold names though the specifications do not say so, with what becomes of "it" on
   * the way to the broker.
   */
  private static final Map<String, String> NAMES_AS_WELL =
      Map.ofEntries(
          Map.entry("FindCoordinatorRequest:Key", "team-a.it"),
          Map.entry("FindCoordinatorRequest:CoordinatorKeys", "team-a.it"),
          Map.entry("FindCoordinatorResponse:Coordinators.Key", "team-a.it"),
          Map.entry("ConsumerGroupHeartbeatRequest:SubscribedTopicRegex", "\\Qteam-a.\\E(?:it)"),
          Map.entry(
              "ConsumerGroupDescribeResponse:Groups.Members.SubscribedTopicRegex",
              "\\Qteam-a.\\E(?:it)"),
          Map.entry(
              "StreamsGroupHeartbeatRequest:Topology.Subtopologies.SourceTopicRegex",
              "\\Qteam-a.\\E(?:it)"),
          Map.entry("ListTransactionsRequest:TransactionalIdPattern", "\\Qteam-a.\\E(?:it)"),
          Map.entry("DescribeConfigsRequest:Resources.ResourceName", "team-a.it"),
          Map.entry("DescribeConfigsResponse:Results.ResourceName", "team-a.it"),
          Map.entry("AlterConfigsRequest:Resources.ResourceName", "team-a.it"),
          Map.entry("AlterConfigsResponse:Responses.ResourceName", "team-a.it"),
          Map.entry("IncrementalAlterConfigsRequest:Resources.ResourceName", "team-a.it"),
          Map.entry("IncrementalAlterConfigsResponse:Responses.ResourceName", "team-a.it"),
          Map.entry("ListConfigResourcesResponse:ConfigResources.ResourceName", "team-a.it"),
          Map.entry("CreateAclsRequest:Creations.ResourceName", "team-a.it"),
          Map.entry("DescribeAclsRequest:ResourceNameFilter", "team-a.it"),
          Map.entry("DescribeAclsResponse:Resources.ResourceName", "team-a.it"),
          Map.entry("DeleteAclsRequest:Filters.ResourceNameFilter", "team-a.it"),
          Map.entry("DeleteAclsResponse:FilterResults.MatchingAcls.ResourceName", "team-a.it"));

  /** From which version on: before, only subscriptions to client metrics were listed. */
  private static final Map<String, Short> SINCE =
      Map.of("ListConfigResourcesResponse:ConfigResources.ResourceName", (short) 1);

  /** Named topics or groups, on a broker's listener, but only brokers send them (KIP-932). */
  private static final Set<ApiKeys> BETWEEN_BROKERS =
      EnumSet.of(
          ApiKeys.INITIALIZE_SHARE_GROUP_STATE,
          ApiKeys.READ_SHARE_GROUP_STATE,
          ApiKeys.WRITE_SHARE_GROUP_STATE,
          ApiKeys.DELETE_SHARE_GROUP_STATE,
          ApiKeys.READ_SHARE_GROUP_STATE_SUMMARY);

  private final TopicPrefix filter = new TopicPrefix(new Prefix(PREFIX));

  static Stream<ApiKeys> offered() {
    return Stream.of(ApiKeys.values())
        .filter(ApiKeys::hasValidVersion)
        .filter(key -> key.inScope(ListenerType.BROKER) && !BETWEEN_BROKERS.contains(key));
  }

  @ParameterizedTest
  @MethodSource("offered")
  void names_in_requests_get_the_prefix_and_nothing_else_changes(ApiKeys key) {
    var spec = Specification.request(key);
    for (short version : versions(key)) {
      var request = spec.read(spec.filled(version, tenants(spec)), version);
      var expected = spec.written(spec.read(spec.filled(version, brokers(spec)), version), version);
      assertThat(spec.written(asked(request, key, version), version))
          .as("%s version %d", spec.name(), version)
          .isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("offered")
  void names_in_responses_lose_the_prefix_and_nothing_else_changes(ApiKeys key) {
    var spec = Specification.response(key);
    for (short version : versions(key)) {
      var response = spec.read(spec.filled(version, brokers(spec)), version);
      var expected = spec.written(spec.read(spec.filled(version, tenants(spec)), version), version);
      assertThat(spec.written(answered(response, key, version), version))
          .as("%s version %d", spec.name(), version)
          .isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("offered")
  void no_response_tells_a_name_of_another_tenant(ApiKeys key) {
    var spec = Specification.response(key);
    for (short version : versions(key)) {
      var response = spec.read(spec.filled(version, others(spec)), version);
      assertThat(spec.written(answered(response, key, version), version).toString())
          .as("%s version %d", spec.name(), version)
          .doesNotContain(OTHER);
    }
  }

  @Test
  void what_is_left_alone_and_what_is_a_name_as_well_is_in_the_specifications() {
    var known = new TreeSet<String>();
    offered()
        .flatMap(key -> Stream.of(Specification.request(key), Specification.response(key)))
        .forEach(spec -> allTexts(spec).forEach(field -> known.add(path(spec, field))));
    assertThat(known).containsAll(LEFT_ALONE).containsAll(NAMES_AS_WELL.keySet());
  }

  @Test
  void produce_and_fetch_by_id_are_not_looked_at() {
    var wanted = filter.wanted();
    assertThat(wanted.request(ApiKeys.FETCH.id, (short) 13)).isFalse();
    assertThat(wanted.request(ApiKeys.PRODUCE.id, (short) 13)).isFalse();
    assertThat(wanted.response(ApiKeys.FETCH.id, (short) 13)).isFalse();
    assertThat(wanted.response(ApiKeys.PRODUCE.id, (short) 13)).isFalse();
    assertThat(wanted.response(ApiKeys.SHARE_FETCH.id, (short) 1)).isFalse();
  }

  private static Iterable<Short> versions(ApiKeys key) {
    return key.allVersions();
  }

  private static Stream<Specification.Field> allTexts(Specification spec) {
    return Stream.iterate((short) 0, v -> v < 20, v -> (short) (v + 1))
        .flatMap(version -> spec.texts(version).stream());
  }

  private static Function<Specification.Field, String> tenants(Specification spec) {
    return field -> isLeftAlone(spec, field) ? "kept" : "it";
  }

  private static Function<Specification.Field, String> brokers(Specification spec) {
    return field -> {
      if (isLeftAlone(spec, field)) {
        return "kept";
      }
      var asWell = NAMES_AS_WELL.get(path(spec, field));
      return asWell == null ? PREFIX + "it" : asWell;
    };
  }

  private static Function<Specification.Field, String> others(Specification spec) {
    return field -> isLeftAlone(spec, field) ? "kept" : OTHER + "it";
  }

  private static boolean isLeftAlone(Specification spec, Specification.Field field) {
    var path = path(spec, field);
    boolean isName =
        field.isName()
            || (NAMES_AS_WELL.containsKey(path)
                && field.version() >= SINCE.getOrDefault(path, (short) 0));
    return !isName || LEFT_ALONE.contains(path);
  }

  private static String path(Specification spec, Specification.Field field) {
    return spec.name() + ":" + field.path();
  }

  private ApiMessage asked(ApiMessage request, ApiKeys key, short version) {
    var wanted = filter.wanted();
    boolean transactional = key == ApiKeys.PRODUCE && wanted.transactionalProduce(version);
    if (!transactional && !wanted.request(key.id, version)) {
      return request;
    }
    var verdict = filter.onRequest(exchange(key, version), request).toCompletableFuture().join();
    assertThat(verdict).isInstanceOf(Forward.class);
    return writable(((Forward) verdict).body(), version);
  }

  private ApiMessage answered(ApiMessage response, ApiKeys key, short version) {
    if (!filter.wanted().response(key.id, version)) {
      return response;
    }
    var verdict = filter.onResponse(exchange(key, version), response).toCompletableFuture().join();
    return writable(((Forward) verdict).body(), version);
  }

  private static ApiMessage writable(ApiMessage body, short version) {
    var cache = new ObjectSerializationCache();
    var size = new MessageSizeAccumulator();
    body.addSize(size, cache, version);
    var bytes = ByteBuffer.allocate(size.totalSize());
    body.write(new ByteBufferAccessor(bytes), cache, version);
    assertThat(bytes.hasRemaining()).isFalse();
    return body;
  }

  private static Exchange exchange(ApiKeys key, short version) {
    return new Exchange(
        new RequestHeader(key.id, version, 1, "client"),
        InetSocketAddress.createUnresolved("client", 1));
  }
}
