package dev.sluice.kubernetes;

import java.util.List;
import java.util.Map;

/**
 * A PodDisruptionBudget.
 *
 * @param allowed how many more pods may be evicted now
 * @param healthy pods of it that are well now
 * @param wanted how many have to be
 */
record BudgetFacts(String name, Selector selector, int allowed, int healthy, int wanted) {

  String sentence() {
    return "the disruption budget %s allows no eviction now: %d of its pods are well and %d have to be"
        .formatted(name, healthy, wanted);
  }

  /**
   * Which pods it is about.
   *
   * @param labels all of which must be there
   * @param expressions all of which must hold
   */
  record Selector(Map<String, String> labels, List<Expression> expressions) {
    Selector {
      labels = Map.copyOf(labels);
      expressions = List.copyOf(expressions);
    }

    boolean matches(Map<String, String> found) {
      return labels.entrySet().stream()
              .allMatch(label -> label.getValue().equals(found.get(label.getKey())))
          && expressions.stream().allMatch(each -> each.holds(found));
    }
  }

  /** One of a selector's {@code matchExpressions}. */
  record Expression(String key, String operator, List<String> values) {
    Expression {
      values = List.copyOf(values);
    }

    boolean holds(Map<String, String> labels) {
      String found = labels.get(key);
      return switch (operator) {
        case "In" -> found != null && values.contains(found);
        case "NotIn" -> found == null || !values.contains(found);
        case "Exists" -> found != null;
        case "DoesNotExist" -> found == null;
        default -> true; // of a later version: rather believe that it is about the pod
      };
    }
  }
}
