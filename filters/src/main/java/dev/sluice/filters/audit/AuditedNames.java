package dev.sluice.filters.audit;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData;
import org.apache.kafka.common.message.CreateAclsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.DeleteAclsRequestData;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.protocol.ApiMessage;

/** What a request is about: names of topics, groups, resources, users. No values. */
final class AuditedNames {

  /** Bound on the names of one line. */
  static final int MAX_NAMES = 20;

  private AuditedNames() {}

  static List<String> of(ApiMessage request) {
    return all(request).filter(Objects::nonNull).limit(MAX_NAMES).toList();
  }

  private static Stream<String> all(ApiMessage request) {
    return switch (request) {
      case CreateTopicsRequestData r -> r.topics().stream().map(topic -> topic.name());
      case CreatePartitionsRequestData r -> r.topics().stream().map(topic -> topic.name());
      case DeleteTopicsRequestData r -> deleted(r);
      case DeleteRecordsRequestData r -> r.topics().stream().map(topic -> topic.name());
      case DeleteGroupsRequestData r -> r.groupsNames().stream();
      case OffsetDeleteRequestData r -> Stream.of(r.groupId());
      case AlterPartitionReassignmentsRequestData r ->
          r.topics().stream().map(topic -> topic.name());
      case AlterUserScramCredentialsRequestData r -> users(r);
      case AlterConfigsRequestData r ->
          r.resources().stream()
              .flatMap(
                  each ->
                      each.configs().stream()
                          .map(key -> key(each.resourceType(), each.resourceName(), key.name())));
      case IncrementalAlterConfigsRequestData r ->
          r.resources().stream()
              .flatMap(
                  each ->
                      each.configs().stream()
                          .map(key -> key(each.resourceType(), each.resourceName(), key.name())));
      case CreateAclsRequestData r ->
          r.creations().stream().map(acl -> acl.principal() + " on " + acl.resourceName());
      case DeleteAclsRequestData r ->
          r.filters().stream()
              .map(filter -> filter.principalFilter() + " on " + filter.resourceNameFilter());
      default -> Stream.empty();
    };
  }

  private static Stream<String> deleted(DeleteTopicsRequestData request) {
    return Stream.concat(
        request.topicNames().stream(),
        request.topics().stream()
            .map(topic -> topic.name() == null ? topic.topicId().toString() : topic.name()));
  }

  private static Stream<String> users(AlterUserScramCredentialsRequestData request) {
    return Stream.concat(
        request.deletions().stream().map(user -> user.name()),
        request.upsertions().stream().map(user -> user.name()));
  }

  private static String key(byte type, String resource, String key) {
    return ConfigResource.Type.forId(type) + " " + resource + " " + key;
  }
}
