package dev.sluice.proxy;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What a metric is, said once: meters are built from it, the reference for people is written from
 * it, and dashboards and alerts are held against it.
 *
 * @param name with dots between its words, and without what Prometheus appends
 * @param unit as Prometheus appends it; empty for a plain number
 * @param says what the number is
 * @param lookWhen the occasion on which a person looks at it
 */
public record Metric(
    String name, Type type, String unit, String says, String lookWhen, List<Label> labels) {

  /** As Prometheus tells them apart. */
  public enum Type {
    /** Goes up and down. */
    GAUGE,
    /** Goes up until the process ends. */
    COUNTER,
    /** A count, a sum and a maximum of durations. */
    SUMMARY,
    /** A summary with buckets. */
    HISTOGRAM
  }

  /**
   * What one series differs by from the next.
   *
   * @param values all that there are; none if they come from outside
   */
  public record Label(String name, String says, List<String> values) {
    public Label {
      values = List.copyOf(values);
    }

    /** Whose values come from outside, such as names. */
    public static Label open(String name, String says) {
      return new Label(name, says, List.of());
    }

    /** Whose values are known. */
    public static Label of(String name, String says, Stream<String> values) {
      return new Label(name, says, values.toList());
    }
  }

  public Metric {
    labels = List.copyOf(labels);
  }

  public static Metric gauge(String name, String says, String lookWhen, Label... labels) {
    return new Metric(name, Type.GAUGE, "", says, lookWhen, List.of(labels));
  }

  public static Metric counter(String name, String says, String lookWhen, Label... labels) {
    return new Metric(name, Type.COUNTER, "", says, lookWhen, List.of(labels));
  }

  public static Metric summary(String name, String says, String lookWhen, Label... labels) {
    return new Metric(name, Type.SUMMARY, "seconds", says, lookWhen, List.of(labels));
  }

  public static Metric histogram(String name, String says, String lookWhen, Label... labels) {
    return new Metric(name, Type.HISTOGRAM, "seconds", says, lookWhen, List.of(labels));
  }

  /** The same in another unit, such as {@code bytes}. */
  public Metric in(String otherUnit) {
    return new Metric(name, type, otherUnit, says, lookWhen, labels);
  }

  /** The name that Prometheus shows. */
  public String exposed() {
    var snake = name.replace('.', '_');
    var measured = unit.isEmpty() || snake.endsWith("_" + unit) ? snake : snake + "_" + unit;
    return type == Type.COUNTER ? measured + "_total" : measured;
  }

  /** The names of its series: a histogram has several. */
  public List<String> series() {
    var all = new ArrayList<String>();
    if (type == Type.SUMMARY || type == Type.HISTOGRAM) {
      Stream.of("_count", "_sum", "_max").map(exposed()::concat).forEach(all::add);
    } else {
      all.add(exposed());
    }
    if (type == Type.HISTOGRAM) {
      all.add(exposed() + "_bucket");
    }
    return all;
  }

  /**
   * A meter of it that is read when somebody asks.
   *
   * @param values of the labels, in their order
   */
  public <T> Gauge.Builder<T> newGauge(T of, ToDoubleFunction<T> value, String... values) {
    var builder = Gauge.builder(name, of, value).description(says).tags(tags(values));
    return unit.isEmpty() ? builder : builder.baseUnit(unit);
  }

  /**
   * A meter of it that is counted up.
   *
   * @param values of the labels, in their order
   */
  public Counter.Builder newCounter(String... values) {
    return Counter.builder(name).description(says).tags(tags(values));
  }

  /**
   * A meter of it that counts elsewhere, and is read when somebody asks.
   *
   * @param values of the labels, in their order
   */
  public <T> FunctionCounter.Builder<T> newCounter(
      T of, ToDoubleFunction<T> value, String... values) {
    return FunctionCounter.builder(name, of, value).description(says).tags(tags(values));
  }

  /**
   * A meter of it that durations are told to.
   *
   * @param values of the labels, in their order
   */
  public Timer.Builder newTimer(String... values) {
    return Timer.builder(name).description(says).tags(tags(values));
  }

  private Tags tags(String... values) {
    if (values.length != labels.size()) {
      throw new IllegalArgumentException(
          "Expected a value for each label of %s (%s), found %s; give one for each, in this order"
              .formatted(name, labels.stream().map(Label::name).toList(), Arrays.toString(values)));
    }
    var tags = new ArrayList<Tag>();
    for (int i = 0; i < values.length; i++) {
      tags.add(Tag.of(labels.get(i).name(), values[i]));
    }
    return Tags.of(tags);
  }
}
