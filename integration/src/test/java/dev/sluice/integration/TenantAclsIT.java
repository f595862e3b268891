package dev.sluice.integration;

import static dev.sluice.integration.Clients.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.embedded.ClusterPlan;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.lifecycle.FailurePolicy;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

/** Access control lists of tenants, on a cluster that has an authorizer. */
class TenantAclsIT {

  private static final AclBinding ORDERS = on(ResourceType.TOPIC, "orders", PatternType.LITERAL);
  private static final AclBinding ALL_GROUPS = on(ResourceType.GROUP, "*", PatternType.LITERAL);

  @Test
  void a_tenants_lists_are_its_own_and_cannot_reach_anothers() throws Exception {
    try (var kafka = EmbeddedCluster.start(authorizing());
        var proxy =
            RunningProxy.start(
                List.of(
                    FilterIT.under("a.", RunningProxy.spec("a", kafka)),
                    FilterIT.under("b.", RunningProxy.spec("b", kafka)),
                    RunningProxy.spec("all", kafka)),
                FailurePolicy.DEFAULT)) {
      proxy.awaitServing();
      try (var a = new Clients(proxy.bootstrapServers("a")).admin();
          var b = new Clients(proxy.bootstrapServers("b")).admin();
          var all = new Clients(proxy.bootstrapServers("all")).admin()) {
        done(a.createAcls(List.of(ORDERS, ALL_GROUPS)).all());
        done(b.createAcls(List.of(ORDERS)).all());
        awaitLists(a, ORDERS, ALL_GROUPS);
        awaitLists(b, ORDERS);
        awaitLists(
            all,
            on(ResourceType.TOPIC, "a.orders", PatternType.LITERAL),
            on(ResourceType.TOPIC, "b.orders", PatternType.LITERAL),
            on(ResourceType.GROUP, "a.", PatternType.PREFIXED));
        assertThat(
                b.deleteAcls(List.of(AclBindingFilter.ANY))
                    .all()
                    .toCompletionStage()
                    .toCompletableFuture())
            .as("a filter that could reach others")
            .failsWithin(Clients.PATIENCE);
        assertThat(done(b.deleteAcls(List.of(ORDERS.toFilter())).all())).containsExactly(ORDERS);
        awaitLists(b);
        awaitLists(a, ORDERS, ALL_GROUPS);
      }
    }
  }

  private static ClusterPlan authorizing() {
    return ClusterPlan.combined(1)
        .withProperty(
            "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
        .withProperty("super.users", "User:ANONYMOUS");
  }

  /** A broker learns of what the controller has written a moment later. */
  private static void awaitLists(Admin admin, AclBinding... expected) {
    await()
        .atMost(Clients.PATIENCE)
        .untilAsserted(() -> assertThat(lists(admin)).containsExactlyInAnyOrder(expected));
  }

  private static Collection<AclBinding> lists(Admin admin) throws Exception {
    var everything = new AclBindingFilter(ResourcePatternFilter.ANY, AccessControlEntryFilter.ANY);
    return done(admin.describeAcls(everything).values());
  }

  private static AclBinding on(ResourceType type, String name, PatternType pattern) {
    return new AclBinding(
        new ResourcePattern(type, name, pattern),
        new AccessControlEntry("User:ada", "*", AclOperation.READ, AclPermissionType.ALLOW));
  }
}
