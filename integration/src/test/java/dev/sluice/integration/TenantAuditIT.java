package dev.sluice.integration;

import dev.sluice.audit.AuditPlan;
import dev.sluice.audit.Selection;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.lifecycle.FailurePolicy;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A tenant under a prefix loses nothing either; what others see of it is {@link FilterIT}'s. */
@ExtendWith(KafkaCluster.class)
class TenantAuditIT {

  private static final int SECONDS = 60;

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
