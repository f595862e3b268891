package dev.sluice.roller;

import dev.sluice.planner.Assessment;
import dev.sluice.planner.Assessment.Awaited;
import dev.sluice.planner.Blocked;
import dev.sluice.planner.Forecast;
import dev.sluice.planner.HoldReason;
import dev.sluice.planner.Plan;
import dev.sluice.roller.RollReport.Action;
import dev.sluice.roller.RollReport.Batch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a roll did, and what it thinks now. Written by the thread of the loop; {@link
 * #current} is for any thread.
 */
public final class RollScribe implements RollListener {

  /** The most batches that a report tells. */
  private static final int BATCHES_MAX = 10_000;

  /** The most different things waited for that a report tells. */
  private static final int WAITED_MAX = 50;

  private final List<Batch> batches = new ArrayList<>();
  private final Map<Integer, Instant> outstanding = new LinkedHashMap<>();
  private final Map<String, Duration> waited = new LinkedHashMap<>();
  private final Set<String> starved = new LinkedHashSet<>();
  private @Nullable Instant began;
  private @Nullable Instant before;
  private String waitingFor = "";
  private Supplier<Optional<Forecast>> ahead = Optional::empty;
  private Duration longestLook = Duration.ZERO;
  private volatile @Nullable Current current;

  /**
   * What is thought now.
   *
   * @param plan made of the last look
   * @param outcome once it is over
   * @param ahead how the rest will go; worked out for the first who asks
   */
  public record Current(
      Plan plan,
      RollReport report,
      Optional<Outcome> outcome,
      Supplier<Optional<Forecast>> ahead) {}

  /** Nobody may ask: then it is not worked out. Many may ask: then it is worked out once. */
  private static final class Once implements Supplier<Optional<Forecast>> {

    private final Supplier<Forecast> ahead;
    private @Nullable Forecast forecast;

    private Once(Supplier<Forecast> ahead) {
      this.ahead = ahead;
    }

    @Override
    public synchronized Optional<Forecast> get() {
      forecast = forecast == null ? ahead.get() : forecast;
      return Optional.of(forecast);
    }
  }

  /** Empty before the first look. */
  public Optional<Current> current() {
    return Optional.ofNullable(current);
  }

  @Override
  public void looked(Duration took) {
    longestLook = took.compareTo(longestLook) > 0 ? took : longestLook;
  }

  @Override
  public void foresaw(Supplier<Forecast> told) {
    ahead = new Once(told);
  }

  @Override
  public void decided(Look look, Plan plan) {
    Instant now = plan.at();
    began = began == null ? now : began;
    waitedUntil(now);
    look.starving().stream()
        .limit(Math.max(0, Look.STARVING_MAX - starved.size()))
        .forEach(starved::add);
    for (Assessment server : plan.servers()) {
      if (server.awaited() == Awaited.RETURNED) {
        returned(server.server(), now);
      }
    }
    waitingFor = plan instanceof Plan.Hold hold ? said(hold.why()) : "";
    tell(plan, Optional.empty());
  }

  @Override
  public void dropped(Plan.Act act, List<Blocked> objections) {
    waitingFor = "a second look spoke against it: " + objections.getFirst().sentence();
  }

  @Override
  public void acting(Plan.Act act) {
    List<Action> actions = new ArrayList<>();
    act.targets()
        .forEach(
            (id, need) -> {
              actions.add(new Action(id, need.sentence(), Optional.empty(), Optional.empty()));
              outstanding.put(id, act.at());
            });
    if (batches.size() < BATCHES_MAX) {
      batches.add(new Batch(act.at(), act.stage(), actions));
    }
    tell(act, Optional.empty());
  }

  @Override
  public void acted(Plan.Act act, List<Actuator.Performed> performed) {
    for (Actuator.Performed each : performed) {
      each.failure()
          .ifPresent(
              why ->
                  change(
                      each.server(),
                      action ->
                          new Action(
                              action.server(), action.what(), action.took(), Optional.of(why))));
    }
    tell(act, Optional.empty());
  }

  @Override
  public void ended(Outcome outcome) {
    Current last = current;
    if (last != null) {
      tell(last.plan(), Optional.of(outcome));
    }
  }

  private void returned(int server, Instant now) {
    Instant acted = outstanding.remove(server);
    if (acted != null) {
      Duration took = Duration.between(acted, now);
      change(
          server,
          action ->
              new Action(action.server(), action.what(), Optional.of(took), action.failure()));
    }
  }

  /** Changes the last action on a server. */
  private void change(int server, java.util.function.UnaryOperator<Action> change) {
    for (int i = batches.size() - 1; i >= 0; i--) {
      Batch batch = batches.get(i);
      if (batch.servers().stream().anyMatch(action -> action.server() == server)) {
        List<Action> changed =
            batch.servers().stream()
                .map(action -> action.server() == server ? change.apply(action) : action)
                .toList();
        batches.set(i, new Batch(batch.at(), batch.stage(), changed));
        return;
      }
    }
  }

  private void waitedUntil(Instant now) {
    if (before != null
        && !waitingFor.isEmpty()
        && (waited.containsKey(waitingFor) || waited.size() < WAITED_MAX)) {
      waited.merge(waitingFor, Duration.between(before, now), Duration::plus);
    }
    before = now;
  }

  /** Without what changes from look to look. */
  private static String said(HoldReason why) {
    return switch (why) {
      case HoldReason.AwaitingReturn(List<Assessment> servers) ->
          "the return of "
              + String.join(", ", servers.stream().map(each -> "server " + each.server()).toList());
      case HoldReason.EverythingBlocked(List<Blocked> blocked) ->
          blocked.stream().findFirst().map(Blocked::sentence).orElse("nothing is allowed");
      case HoldReason.OutOfWindow _ -> "a maintenance window";
      case HoldReason.AnotherRoll(String who) -> who;
    };
  }

  private void tell(Plan plan, Optional<Outcome> outcome) {
    Instant from = began == null ? plan.at() : began;
    var report =
        new RollReport(
            from,
            plan.at(),
            batches,
            new LinkedHashMap<>(waited),
            List.copyOf(starved),
            longestLook);
    current = new Current(plan, report, outcome, ahead);
  }
}
