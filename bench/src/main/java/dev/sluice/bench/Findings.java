package dev.sluice.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleBinaryOperator;

/** What one workload came to. Arms are compared within each round: they had the same minutes. */
record Findings(Workload workload, List<Sample> samples) {

  Findings {
    samples = List.copyOf(samples);
  }

  /** The figures of one arm; empty if it has none. */
  Optional<Interval> of(Arm arm, Metric metric) {
    var values =
        samples.stream()
            .filter(one -> one.arm() == arm && one.metric() == metric)
            .map(Sample::value)
            .toList();
    return values.isEmpty() ? Optional.empty() : Optional.of(Interval.of(values));
  }

  /** Both figures of each round in one; empty if there is no round with both. */
  Optional<Interval> paired(Metric metric, Arm arm, Arm other, DoubleBinaryOperator both) {
    var values = new ArrayList<Double>();
    for (var one : samples) {
      if (one.arm() == arm && one.metric() == metric) {
        at(one.round(), other, metric)
            .ifPresent(theirs -> values.add(both.applyAsDouble(one.value(), theirs)));
      }
    }
    return values.isEmpty() ? Optional.empty() : Optional.of(Interval.of(values));
  }

  Optional<Interval> ratio(Metric metric, Arm arm, Arm other) {
    return paired(metric, arm, other, (mine, theirs) -> mine / theirs);
  }

  private OptionalDouble at(int round, Arm arm, Metric metric) {
    return samples.stream()
        .filter(one -> one.round() == round && one.arm() == arm && one.metric() == metric)
        .mapToDouble(Sample::value)
        .findFirst();
  }
}
