package dev.sluice.filters.prefix;

import dev.sluice.filter.Exchange;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.CreateAclsRequestData;
import org.apache.kafka.common.message.DeleteAclsRequestData;
import org.apache.kafka.common.message.DeleteAclsRequestData.DeleteAclsFilter;
import org.apache.kafka.common.message.DeleteAclsResponseData;
import org.apache.kafka.common.message.DeleteAclsResponseData.DeleteAclsFilterResult;
import org.apache.kafka.common.message.DescribeAclsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** Requests about configurations and access control lists: names of resources get the prefix. */
final class ResourceRequests {

  /** A configuration of share groups whose value is a topic (KIP-1191). */
  static final String DEAD_LETTER_TOPIC = "errors.deadletterqueue.topic.name";

  /** It is kept of a DeleteAcls request: results for filters that no broker sees, by position. */
  record RefusedFilters(List<@Nullable DeleteAclsFilterResult> results) {}

  private final Prefix prefix;
  private final Acls acls;

  ResourceRequests(Prefix prefix) {
    this.prefix = prefix;
    this.acls = new Acls(prefix);
  }

  void addTo(Rows rows) {
    rows.add(ApiKeys.DESCRIBE_CONFIGS, DescribeConfigsRequestData.class, this::describeConfigs)
        .add(ApiKeys.ALTER_CONFIGS, AlterConfigsRequestData.class, this::alterConfigs)
        .add(
            ApiKeys.INCREMENTAL_ALTER_CONFIGS,
            IncrementalAlterConfigsRequestData.class,
            this::incrementConfigs)
        .add(ApiKeys.CREATE_ACLS, CreateAclsRequestData.class, this::createAcls)
        .add(ApiKeys.DESCRIBE_ACLS, DescribeAclsRequestData.class, this::describeAcls)
        .judge(ApiKeys.DELETE_ACLS, DeleteAclsRequestData.class, this::deleteAcls);
  }

  /** Whether configurations of this type have names of tenants. */
  static boolean isNamed(byte type) {
    return switch (ConfigResource.Type.forId(type)) {
      case TOPIC, GROUP -> true;
      default -> false;
    };
  }

  static boolean isDeadLetterTopic(byte type, String key, @Nullable String value) {
    return type == ConfigResource.Type.GROUP.id()
        && key.equals(DEAD_LETTER_TOPIC)
        && value != null
        && !value.isEmpty();
  }

  private void describeConfigs(DescribeConfigsRequestData body, Exchange exchange) {
    for (var resource : body.resources()) {
      if (isNamed(resource.resourceType())) {
        resource.setResourceName(prefix.out(resource.resourceName()));
      }
    }
  }

  private void alterConfigs(AlterConfigsRequestData body, Exchange exchange) {
    Prefix.rename(
        body.resources(),
        resource -> {
          byte type = resource.resourceType();
          if (isNamed(type)) {
            resource.setResourceName(prefix.out(resource.resourceName()));
          }
          for (var config : resource.configs()) {
            if (isDeadLetterTopic(type, config.name(), config.value())) {
              config.setValue(prefix.out(config.value()));
            }
          }
        });
  }

  private void incrementConfigs(IncrementalAlterConfigsRequestData body, Exchange exchange) {
    Prefix.rename(
        body.resources(),
        resource -> {
          byte type = resource.resourceType();
          if (isNamed(type)) {
            resource.setResourceName(prefix.out(resource.resourceName()));
          }
          for (var config : resource.configs()) {
            if (isDeadLetterTopic(type, config.name(), config.value())) {
              config.setValue(prefix.out(config.value()));
            }
          }
        });
  }

  private void createAcls(CreateAclsRequestData body, Exchange exchange) {
    for (var acl : body.creations()) {
      if (Acls.isNamed(acl.resourceType())) {
        var out =
            acls.out(
                new Acls.Resource(
                    acl.resourceType(), acl.resourceName(), acl.resourcePatternType()));
        acl.setResourceName(out.name()).setResourcePatternType(out.pattern());
      }
    }
  }

  private void describeAcls(DescribeAclsRequestData body, Exchange exchange) {
    if (body.resourceNameFilter() != null) {
      var out =
          acls.out(
              new Acls.Resource(
                  body.resourceTypeFilter(), body.resourceNameFilter(), body.patternTypeFilter()));
      body.setResourceNameFilter(out.name()).setPatternTypeFilter(out.pattern());
    }
  }

  /** What is deleted cannot be taken back: a filter that may reach others never leaves. */
  private @Nullable ApiMessage deleteAcls(DeleteAclsRequestData body, Exchange exchange) {
    var results = new ArrayList<@Nullable DeleteAclsFilterResult>();
    var safe = new ArrayList<DeleteAclsFilter>();
    for (var filter : body.filters()) {
      if (Acls.isWithinTenant(
          filter.resourceTypeFilter(), filter.resourceNameFilter(), filter.patternTypeFilter())) {
        results.add(null);
        safe.add(out(filter));
      } else {
        results.add(refused());
      }
    }
    if (safe.isEmpty() && !results.isEmpty()) {
      return new DeleteAclsResponseData().setFilterResults(results);
    }
    body.setFilters(safe);
    exchange.keep(new RefusedFilters(results));
    return null;
  }

  private DeleteAclsFilter out(DeleteAclsFilter filter) {
    if (filter.resourceNameFilter() == null) {
      return filter;
    }
    var out =
        acls.out(
            new Acls.Resource(
                filter.resourceTypeFilter(),
                filter.resourceNameFilter(),
                filter.patternTypeFilter()));
    return filter.setResourceNameFilter(out.name()).setPatternTypeFilter(out.pattern());
  }

  private static DeleteAclsFilterResult refused() {
    return new DeleteAclsFilterResult()
        .setErrorCode(Errors.INVALID_REQUEST.code())
        .setErrorMessage(
            "Expected a filter with the name of a resource and a pattern type other than MATCH,"
                + " since others reach beyond this virtual cluster.");
  }
}
