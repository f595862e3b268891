package dev.sluice.filters.prefix;

import dev.sluice.filter.Exchange;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.DeleteAclsResponseData;
import org.apache.kafka.common.message.DeleteAclsResponseData.DeleteAclsFilterResult;
import org.apache.kafka.common.message.DeleteAclsResponseData.DeleteAclsMatchingAcl;
import org.apache.kafka.common.message.DescribeAclsResponseData;
import org.apache.kafka.common.message.DescribeAclsResponseData.DescribeAclsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.ListConfigResourcesResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/** Responses about configurations and access control lists: names of resources lose the prefix. */
final class ResourceResponses {

  private final Prefix prefix;
  private final Acls acls;

  ResourceResponses(Prefix prefix) {
    this.prefix = prefix;
    this.acls = new Acls(prefix);
  }

  void addTo(Rows rows) {
    rows.add(ApiKeys.DESCRIBE_CONFIGS, DescribeConfigsResponseData.class, this::describeConfigs)
        .add(ApiKeys.ALTER_CONFIGS, AlterConfigsResponseData.class, this::alterConfigs)
        .add(
            ApiKeys.INCREMENTAL_ALTER_CONFIGS,
            IncrementalAlterConfigsResponseData.class,
            this::incrementConfigs)
        .add(
            ApiKeys.LIST_CONFIG_RESOURCES,
            ListConfigResourcesResponseData.class,
            this::listResources)
        .add(ApiKeys.DESCRIBE_ACLS, DescribeAclsResponseData.class, this::describeAcls)
        .add(ApiKeys.DELETE_ACLS, DeleteAclsResponseData.class, this::deleteAcls);
  }

  private void describeConfigs(DescribeConfigsResponseData body, Exchange exchange) {
    for (var result : body.results()) {
      if (ResourceRequests.isNamed(result.resourceType())) {
        result.setResourceName(prefix.in(result.resourceName()));
      }
      for (var config : result.configs()) {
        rename(result.resourceType(), config);
      }
    }
  }

  private void rename(byte type, DescribeConfigsResourceResult config) {
    if (ResourceRequests.isDeadLetterTopic(type, config.name(), config.value())) {
      config.setValue(prefix.in(config.value()));
    }
    for (var synonym : config.synonyms()) {
      if (ResourceRequests.isDeadLetterTopic(type, synonym.name(), synonym.value())) {
        synonym.setValue(prefix.in(synonym.value()));
      }
    }
  }

  private void alterConfigs(AlterConfigsResponseData body, Exchange exchange) {
    for (var response : body.responses()) {
      if (ResourceRequests.isNamed(response.resourceType())) {
        response.setResourceName(prefix.in(response.resourceName()));
      }
    }
  }

  private void incrementConfigs(IncrementalAlterConfigsResponseData body, Exchange exchange) {
    for (var response : body.responses()) {
      if (ResourceRequests.isNamed(response.resourceType())) {
        response.setResourceName(prefix.in(response.resourceName()));
      }
    }
  }

  private void listResources(ListConfigResourcesResponseData body, Exchange exchange) {
    var own = new ArrayList<ListConfigResourcesResponseData.ConfigResource>();
    for (var resource : body.configResources()) {
      if (!ResourceRequests.isNamed(resource.resourceType())) {
        own.add(resource);
      } else if (prefix.owns(resource.resourceName())) {
        own.add(resource.setResourceName(prefix.in(resource.resourceName())));
      }
    }
    body.setConfigResources(own);
  }

  private void describeAcls(DescribeAclsResponseData body, Exchange exchange) {
    var own = new ArrayList<DescribeAclsResource>();
    for (var each : body.resources()) {
      var in =
          acls.in(new Acls.Resource(each.resourceType(), each.resourceName(), each.patternType()));
      if (in != null) {
        own.add(each.setResourceName(in.name()).setPatternType(in.pattern()));
      }
    }
    body.setResources(own);
  }

  private void deleteAcls(DeleteAclsResponseData body, Exchange exchange) {
    for (var result : body.filterResults()) {
      result.setMatchingAcls(in(result.matchingAcls()));
    }
    var refused = exchange.kept(ResourceRequests.RefusedFilters.class);
    if (refused != null) {
      body.setFilterResults(merged(refused, body.filterResults()));
    }
  }

  private List<DeleteAclsMatchingAcl> in(List<DeleteAclsMatchingAcl> matching) {
    var own = new ArrayList<DeleteAclsMatchingAcl>();
    for (var each : matching) {
      var in =
          acls.in(new Acls.Resource(each.resourceType(), each.resourceName(), each.patternType()));
      if (in != null) {
        own.add(each.setResourceName(in.name()).setPatternType(in.pattern()));
      }
    }
    return own;
  }

  /** Results come in the order of the filters: those of refused ones go between the broker's. */
  private static List<DeleteAclsFilterResult> merged(
      ResourceRequests.RefusedFilters refused, List<DeleteAclsFilterResult> answered) {
    var merged = new ArrayList<DeleteAclsFilterResult>();
    var next = answered.iterator();
    for (var result : refused.results()) {
      if (result != null) {
        merged.add(result);
      } else if (next.hasNext()) {
        merged.add(next.next());
      }
    }
    return merged;
  }
}
