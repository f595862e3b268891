package dev.sluice.filters.prefix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.filter.Answer;
import dev.sluice.filter.Exchange;
import dev.sluice.filter.Filter;
import dev.sluice.filter.FilterFactory;
import dev.sluice.filter.FilterScope;
import dev.sluice.filter.Forward;
import dev.sluice.filter.RequestHeader;
import dev.sluice.filter.Settings;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.CreateAclsRequestData;
import org.apache.kafka.common.message.CreateAclsRequestData.AclCreation;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.DeleteAclsRequestData;
import org.apache.kafka.common.message.DeleteAclsRequestData.DeleteAclsFilter;
import org.apache.kafka.common.message.DeleteAclsResponseData;
import org.apache.kafka.common.message.DeleteAclsResponseData.DeleteAclsFilterResult;
import org.apache.kafka.common.message.DescribeAclsResponseData;
import org.apache.kafka.common.message.DescribeAclsResponseData.DescribeAclsResource;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.Cursor;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TopicPrefixTest {

  private static final Uuid ID = new Uuid(1, 2);
  private static final byte TOPIC = ResourceType.TOPIC.code();

  private final Filter filter = new TopicPrefix(new Prefix("team-a."));

  @Test
  void it_is_found_by_its_type() {
    var found =
        ServiceLoader.load(FilterFactory.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(factory -> factory.type().equals("TopicPrefix"))
            .findFirst()
            .orElseThrow();
    var settings = Settings.of(found.settings(), Map.of("prefix", "team-a."));
    try (var made = (TopicPrefix) found.create(settings, new FilterScope("prefix", "orders", 1))) {
      assertThat(made.wanted().request(ApiKeys.METADATA.id, (short) 12)).isTrue();
    }
  }

  @Test
  void a_prefix_that_no_topic_can_have_is_refused() {
    var known = new TopicPrefixFactory().settings();
    assertThatThrownBy(() -> Settings.of(known, Map.of("prefix", "team a")))
        .hasMessageContaining("letters, digits");
  }

  @Test
  void who_asks_for_all_topics_is_told_of_his_own() {
    var exchange = exchange(ApiKeys.METADATA, 12);
    forwarded(exchange, new MetadataRequestData().setTopics(null));
    var body = (MetadataResponseData) answered(exchange, metadata("team-a.x", "team-b.y", "__z"));
    assertThat(body.topics()).extracting(MetadataResponseTopic::name).containsExactly("x");
    assertThat(body.topics().find("x")).as("hashed by its new name").isNotNull();
  }

  @Test
  void anothers_topic_asked_by_its_id_is_one_that_is_not_there() {
    var exchange = exchange(ApiKeys.METADATA, 12);
    var asked = new MetadataRequestTopic().setName(null).setTopicId(ID);
    forwarded(exchange, new MetadataRequestData().setTopics(List.of(asked)));
    var body = (MetadataResponseData) answered(exchange, metadata("team-b.y"));
    var topic = body.topics().iterator().next();
    assertThat(topic.name()).isNull();
    assertThat(topic.topicId()).isEqualTo(ID);
    assertThat(topic.errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_ID.code());
  }

  @Test
  void topics_of_a_request_are_still_found_by_their_names() {
    var body = new CreateTopicsRequestData();
    body.topics().add(new CreatableTopic().setName("x"));
    body.topics().add(new CreatableTopic().setName("y"));
    forwarded(exchange(ApiKeys.CREATE_TOPICS, 7), body);
    assertThat(body.topics().find("team-a.y")).isNotNull();
    assertThat(body.topics()).hasSize(2);
  }

  @Test
  void a_listing_of_partitions_begins_and_ends_with_the_tenant() {
    var exchange = exchange(ApiKeys.DESCRIBE_TOPIC_PARTITIONS, 0);
    var request = new DescribeTopicPartitionsRequestData();
    forwarded(exchange, request);
    assertThat(request.cursor().topicName()).isEqualTo("team-a.");
    var response =
        new DescribeTopicPartitionsResponseData()
            .setNextCursor(new Cursor().setTopicName("team-b.y"));
    for (var name : List.of("team-a.", "team-a.x", "team-b.x")) {
      response.topics().add(new DescribeTopicPartitionsResponseTopic().setName(name));
    }
    answered(exchange, response);
    assertThat(response.topics())
        .extracting(DescribeTopicPartitionsResponseTopic::name)
        .containsExactly("x");
    assertThat(response.nextCursor()).isNull();
  }

  @Test
  void a_bad_expression_is_answered_and_goes_no_further() {
    var request =
        new ConsumerGroupHeartbeatRequestData().setGroupId("g").setSubscribedTopicRegex("a)|.*");
    var verdict =
        filter
            .onRequest(exchange(ApiKeys.CONSUMER_GROUP_HEARTBEAT, 1), request)
            .toCompletableFuture()
            .join();
    assertThat(verdict).isInstanceOf(Answer.class);
    var body = (ConsumerGroupHeartbeatResponseData) ((Answer) verdict).response();
    assertThat(body.errorCode()).isEqualTo(Errors.INVALID_REGULAR_EXPRESSION.code());
  }

  @Test
  void members_that_are_no_consumers_are_left_alone() {
    var metadata = new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    var protocol = new JoinGroupRequestData.JoinGroupRequestProtocol().setName("default");
    var request = new JoinGroupRequestData().setGroupId("g").setProtocolType("connect");
    request.protocols().add(protocol.setMetadata(metadata));
    forwarded(exchange(ApiKeys.JOIN_GROUP, 9), request);
    assertThat(protocol.metadata()).isSameAs(metadata);
    assertThat(request.groupId()).isEqualTo("team-a.g");
  }

  @Test
  void all_topics_in_an_acl_are_all_of_the_tenants() {
    var acl = new AclCreation().setResourceType(TOPIC).setResourceName("*");
    acl.setResourcePatternType(PatternType.LITERAL.code());
    forwarded(
        exchange(ApiKeys.CREATE_ACLS, 3), new CreateAclsRequestData().setCreations(List.of(acl)));
    assertThat(acl.resourceName()).isEqualTo("team-a.");
    assertThat(acl.resourcePatternType()).isEqualTo(PatternType.PREFIXED.code());
    var told =
        new DescribeAclsResponseData()
            .setResources(
                List.of(
                    resource("team-a.", PatternType.PREFIXED),
                    resource("*", PatternType.LITERAL),
                    resource("team-a.x", PatternType.LITERAL)));
    answered(exchange(ApiKeys.DESCRIBE_ACLS, 3), told);
    assertThat(told.resources())
        .extracting(DescribeAclsResource::resourceName)
        .containsExactly("*", "x");
    assertThat(told.resources().getFirst().patternType()).isEqualTo(PatternType.LITERAL.code());
  }

  @Test
  void acls_of_others_cannot_be_deleted_and_results_keep_their_order() {
    var exchange = exchange(ApiKeys.DELETE_ACLS, 3);
    var request =
        new DeleteAclsRequestData()
            .setFilters(
                List.of(
                    filter(null, PatternType.ANY),
                    filter("x", PatternType.LITERAL),
                    filter("y", PatternType.MATCH)));
    forwarded(exchange, request);
    assertThat(request.filters())
        .extracting(DeleteAclsFilter::resourceNameFilter)
        .containsExactly("team-a.x");
    var response =
        new DeleteAclsResponseData().setFilterResults(List.of(new DeleteAclsFilterResult()));
    answered(exchange, response);
    assertThat(response.filterResults())
        .extracting(DeleteAclsFilterResult::errorCode)
        .containsExactly(
            Errors.INVALID_REQUEST.code(), Errors.NONE.code(), Errors.INVALID_REQUEST.code());
  }

  @Test
  void the_dead_letter_topic_of_a_share_group_is_a_name() {
    var topic =
        new AlterableConfig().setName("errors.deadletterqueue.topic.name").setValue("dlq.x");
    var resource =
        new AlterConfigsResource()
            .setResourceType(ConfigResource.Type.GROUP.id())
            .setResourceName("g");
    resource.configs().add(topic);
    var request = new IncrementalAlterConfigsRequestData();
    request.resources().add(resource);
    forwarded(exchange(ApiKeys.INCREMENTAL_ALTER_CONFIGS, 1), request);
    assertThat(topic.value()).isEqualTo("team-a.dlq.x");
  }

  private static DescribeAclsResource resource(String name, PatternType pattern) {
    return new DescribeAclsResource()
        .setResourceType(TOPIC)
        .setResourceName(name)
        .setPatternType(pattern.code());
  }

  private static DeleteAclsFilter filter(@Nullable String name, PatternType pattern) {
    return new DeleteAclsFilter()
        .setResourceTypeFilter(TOPIC)
        .setResourceNameFilter(name)
        .setPatternTypeFilter(pattern.code());
  }

  private static MetadataResponseData metadata(String... names) {
    var body = new MetadataResponseData();
    for (var name : names) {
      body.topics().add(new MetadataResponseTopic().setName(name).setTopicId(ID));
    }
    return body;
  }

  private void forwarded(Exchange exchange, ApiMessage request) {
    assertThat(filter.onRequest(exchange, request).toCompletableFuture().join())
        .isEqualTo(new Forward(request));
  }

  private ApiMessage answered(Exchange exchange, ApiMessage response) {
    return ((Forward) filter.onResponse(exchange, response).toCompletableFuture().join()).body();
  }

  private static Exchange exchange(ApiKeys key, int version) {
    return new Exchange(
        new RequestHeader(key.id, (short) version, 1, "client"),
        InetSocketAddress.createUnresolved("client", 1));
  }
}
