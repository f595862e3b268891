package dev.sluice.integration;

import dev.sluice.embedded.ClusterPlan;
import dev.sluice.embedded.EmbeddedCluster;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests one real three-server cluster, shared by all of a run: whoever breaks it starts one
 * of their own. It ends with the run.
 */
public final class KafkaCluster implements ParameterResolver {

  private static final Namespace NAMESPACE = Namespace.create(KafkaCluster.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == EmbeddedCluster.class;
  }

  @Override
  public EmbeddedCluster resolveParameter(ParameterContext parameter, ExtensionContext test) {
    return test.getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent("cluster", _ -> start(), EmbeddedCluster.class);
  }

  private static EmbeddedCluster start() {
    try {
      return EmbeddedCluster.start(ClusterPlan.combined(3));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a cluster started", e);
    }
  }
}
