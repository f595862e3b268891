package dev.sluice.app.configuration;

import dev.sluice.planner.Durations;
import dev.sluice.planner.Exemption;
import dev.sluice.planner.MaintenanceWindow;
import dev.sluice.planner.Patience;
import dev.sluice.planner.Policy;
import dev.sluice.planner.Rule;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** From {@code policy} to its record. */
final class RollPolicyBinding {

  private static final Duration MOST = Duration.ofDays(1);

  private final Entry policy;

  RollPolicyBinding(Entry policy) {
    this.policy = policy;
  }

  /**
   * @param held servers that are never acted upon
   */
  Policy bind(Set<Integer> held) {
    var standard = Policy.DEFAULT;
    return new Policy(
        patience(),
        policy.integer("maxParallel").orElse(standard.maxParallel()),
        policy.integer("margin").orElse(standard.margin()),
        policy.integer("maxRestarts").orElse(standard.maxRestarts()),
        policy.integer("maxReconfigurations").orElse(standard.maxReconfigurations()),
        policy.bool("curesDownServers").orElse(standard.curesDownServers()),
        held,
        exemptions(),
        windows(),
        new Durations(
            duration("expectedController", Durations.DEFAULT.controller()),
            duration("expectedBroker", Durations.DEFAULT.broker()),
            Durations.DEFAULT.reconfiguration()));
  }

  private Patience patience() {
    var standard = Patience.DEFAULT;
    return new Patience(
        duration("readingAgeMax", standard.readingAgeMax()),
        duration("startGrace", standard.startGrace()),
        duration("recoveryStallMax", standard.recoveryStallMax()),
        duration("steadyHold", standard.steadyHold()),
        duration("returnBudget", standard.returnBudget()),
        duration("actionGrace", standard.actionGrace()),
        duration("changeSettles", standard.changeSettles()),
        duration("holdMax", standard.holdMax()));
  }

  private Duration duration(String key, Duration standard) {
    return policy.duration(key).orElse(standard);
  }

  private Set<Exemption> exemptions() {
    var exemptions = new HashSet<Exemption>();
    for (var each : policy.entries("exemptions")) {
      var rule =
          each.text("rule")
              .flatMap(
                  text ->
                      Arrays.stream(Rule.values())
                          .filter(known -> label(known).equals(text))
                          .findFirst());
      if (each.integer("server").isPresent() && rule.isPresent()) {
        exemptions.add(new Exemption(each.integer("server").get(), rule.get()));
      }
    }
    return exemptions;
  }

  private static String label(Rule rule) {
    return rule.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private List<MaintenanceWindow> windows() {
    return policy.entries("windows").stream().flatMap(RollPolicyBinding::window).toList();
  }

  private static Stream<MaintenanceWindow> window(Entry window) {
    var from = window.text("from").map(LocalTime::parse);
    var length = window.duration("for");
    var zone = zone(window);
    if (length.filter(l -> l.compareTo(MOST) > 0).isPresent()) {
      window.error("for", "expected at most 24h, found " + window.shown("for"));
      return Stream.empty();
    }
    if (from.isEmpty() || length.isEmpty() || zone.isEmpty()) {
      return Stream.empty();
    }
    var days = window.texts("days").map(RollPolicyBinding::days).orElse(everyDay());
    return days.isEmpty()
        ? Stream.empty()
        : Stream.of(new MaintenanceWindow(days, from.get(), length.get(), zone.get()));
  }

  private static Optional<ZoneId> zone(Entry window) {
    try {
      return Optional.of(ZoneId.of(window.text("zone").orElse("UTC")));
    } catch (DateTimeException _) {
      window.error("zone", "expected a zone such as Europe/Berlin, found " + window.shown("zone"));
      return Optional.empty();
    }
  }

  private static Set<DayOfWeek> everyDay() {
    return EnumSet.allOf(DayOfWeek.class);
  }

  private static Set<DayOfWeek> days(List<String> texts) {
    var days = EnumSet.noneOf(DayOfWeek.class);
    for (var day : DayOfWeek.values()) {
      if (texts.contains(day.name().toLowerCase(Locale.ROOT))) {
        days.add(day);
      }
    }
    return days;
  }
}
