package dev.sluice.integration;

import static dev.sluice.integration.Clients.done;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.audit.Audit;
import dev.sluice.audit.AuditPlan;
import dev.sluice.audit.LogbackSource;
import dev.sluice.audit.Selection;
import dev.sluice.audit.ledger.Window;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.lifecycle.FailurePolicy;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.TransactionListing;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A tenant under a prefix loses nothing either; what others see of it is {@link FilterIT}'s. */
@ExtendWith(KafkaCluster.class)
class TenantAuditIT {

  private static final int SECONDS = 60;

  /** Records of each producer, in the ordinary run. */
  private static final int A_FEW = 50;

  @Test
  @Tag("acceptance")
  void a_tenants_java_clients_lose_nothing(EmbeddedCluster kafka) throws Exception {
    audited(kafka, Selection.JAVA, SECONDS, AuditIT.OF_JAVA);
  }

  @Test
  @Tag("acceptance")
  void no_client_of_a_tenant_loses_anything(EmbeddedCluster kafka) throws Exception {
    audited(kafka, Selection.ALL, SECONDS, AuditIT.OF_ALL);
  }

  @Test
  void two_tenants_with_the_same_names_lose_nothing_and_see_nothing_of_each_other(
      EmbeddedCluster kafka) throws Exception {
    both(kafka, Selection.parse("java-consumer"), A_FEW);
  }

  /** Both are under load at once, and everything of both is called the same. */
  private static void both(EmbeddedCluster kafka, Selection clients, int records) throws Exception {
    var run = UUID.randomUUID().toString();
    var prefixes = List.of("a-" + run + ".", "b-" + run + ".");
    try (var proxy =
        RunningProxy.start(
            List.of(
                FilterIT.under(prefixes.getFirst(), RunningProxy.spec("a", kafka)),
                FilterIT.under(prefixes.getLast(), RunningProxy.spec("b", kafka))),
            FailurePolicy.DEFAULT)) {
      proxy.awaitServing();
      try (var a = start(proxy, "a", clients, run);
          var b = start(proxy, "b", clients, run)) {
        warm(a, b);
        a.enter(Window.EVENT);
        b.enter(Window.EVENT);
        Audits.awaitLoad(a, records);
        Audits.awaitLoad(b, records);
        var ofA = Names.at(proxy.bootstrapServers("a"));
        var ofB = Names.at(proxy.bootstrapServers("b"));
        var all = Names.at(kafka.bootstrapServers());
        for (var report : List.of(a.finish(), b.finish())) {
          AuditIT.assertClean(report);
        }

        assertThat(ofA).as("what both have").isEqualTo(ofB);
        assertThat(ofA.topics()).isNotEmpty().noneMatch(name -> name.contains(prefixes.getFirst()));
        assertThat(ofA.groups()).isNotEmpty();
        assertThat(ofA.transactionalIds()).isNotEmpty();
        for (var prefix : prefixes) {
          assertThat(all.under(prefix)).as("what the brokers have under %s", prefix).isEqualTo(ofA);
        }
      }
    }
  }

  /** Both at once: either takes its time. */
  private static void warm(Audit... audits) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var warming =
          Stream.of(audits)
              .map(audit -> threads.submit(() -> audit.awaitWarm(System.out::println)))
              .toList();
      for (var cold : warming) {
        assertThat(cold.get()).as("clients without progress").isEmpty();
      }
    }
  }

  private static Audit start(RunningProxy proxy, String tenant, Selection clients, String names)
      throws InterruptedException {
    var plan =
        AuditPlan.of(proxy.bootstrapServers(tenant))
            .withClients(clients)
            .withPrograms(AuditIT.PROGRAMS)
            .withNames(names);
    return Audit.start(plan, new LogbackSource());
  }

  /** What there is at an address, in Kafka's own lists. */
  private record Names(
      SortedSet<String> topics, SortedSet<String> groups, SortedSet<String> transactionalIds) {

    static Names at(String servers) throws Exception {
      try (var admin = new Clients(servers).admin()) {
        return new Names(
            new TreeSet<>(done(admin.listTopics().names())),
            done(admin.listGroups().all()).stream()
                .map(GroupListing::groupId)
                .collect(Collectors.toCollection(TreeSet::new)),
            done(admin.listTransactions().all()).stream()
                .map(TransactionListing::transactionalId)
                .collect(Collectors.toCollection(TreeSet::new)));
      }
    }

    /** Those that begin with a prefix, without it. */
    Names under(String prefix) {
      return new Names(
          under(topics, prefix), under(groups, prefix), under(transactionalIds, prefix));
    }

    private static SortedSet<String> under(SortedSet<String> names, String prefix) {
      return names.stream()
          .filter(name -> name.startsWith(prefix))
          .map(name -> name.substring(prefix.length()))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static void audited(EmbeddedCluster kafka, Selection clients, int seconds, int producers)
      throws Exception {
    var run = UUID.randomUUID().toString();
    try (var proxy =
        RunningProxy.start(
            List.of(
                FilterIT.under("a-" + run + ".", RunningProxy.spec("a", kafka)),
                FilterIT.under("b-" + run + ".", RunningProxy.spec("b", kafka))),
            FailurePolicy.DEFAULT)) {
      proxy.awaitServing();
      var plan = AuditPlan.of(proxy.bootstrapServers("a")).withClients(clients);
      var report = AuditIT.audit(plan.withPrograms(AuditIT.PROGRAMS), seconds, producers);
      AuditIT.assertClean(report);
    }
  }
}
