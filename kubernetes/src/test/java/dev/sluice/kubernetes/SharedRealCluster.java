package dev.sluice.kubernetes;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One for all classes that ask for it, as a parameter; it ends with the last of them. */
final class SharedRealCluster implements ExecutionCondition, ParameterResolver {

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (RealApiServer.available()) {
      return ConditionEvaluationResult.enabled("there is a kube-apiserver");
    }
    if (context.getTestMethod().isEmpty()) {
      System.out.printf(
          "SKIPPED: %s, no kube-apiserver in %s; see control-plane/build%n",
          context.getDisplayName(), RealApiServer.programs());
    }
    return ConditionEvaluationResult.disabled("there is no kube-apiserver");
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == RealCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(Namespace.GLOBAL)
        .computeIfAbsent(RealCluster.class, _ -> start(), RealCluster.class);
  }

  private static RealCluster start() {
    try {
      return RealCluster.start();
    } catch (Exception e) {
      throw new IllegalStateException("expected a kube-apiserver that starts", e);
    }
  }
}
