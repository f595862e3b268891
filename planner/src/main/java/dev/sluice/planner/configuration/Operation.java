package dev.sluice.planner.configuration;

import java.util.Objects;

/** One change of a running server's configuration, or of its cluster's. */
public sealed interface Operation {

  String key();

  /** {@link Scope#PER_BROKER}: at this broker; {@link Scope#CLUSTER_WIDE}: for the cluster. */
  Scope scope();

  /** What it does, in words that never contain a secret. */
  String sentence();

  /**
   * Sets a value.
   *
   * @param secret whether the value must never be shown
   */
  record Set(String key, Scope scope, String value, boolean secret) implements Operation {
    public Set {
      requireDynamic(key, scope);
      Objects.requireNonNull(value, "value");
    }

    @Override
    public String sentence() {
      return "set " + key + where(scope) + " to " + (secret ? "a secret" : "'" + value + "'");
    }

    @Override
    public String toString() {
      return sentence();
    }
  }

  /** Takes a dynamic value away, so that the next weaker one shows. */
  record Delete(String key, Scope scope) implements Operation {
    public Delete {
      requireDynamic(key, scope);
    }

    @Override
    public String sentence() {
      return "delete " + key + where(scope);
    }

    @Override
    public String toString() {
      return sentence();
    }
  }

  private static void requireDynamic(String key, Scope scope) {
    if (scope == Scope.READ_ONLY) {
      throw new IllegalArgumentException(
          "expected a scope in which " + key + " can change while running, found READ_ONLY");
    }
  }

  private static String where(Scope scope) {
    return scope == Scope.PER_BROKER ? " at the broker" : " for the cluster";
  }
}
