package dev.sluice.simulation.quiet;

import dev.sluice.lifecycle.quiet.Because;
import dev.sluice.lifecycle.quiet.Client.Courtesy;
import dev.sluice.lifecycle.quiet.Phase;
import dev.sluice.lifecycle.quiet.QuietAction;
import dev.sluice.lifecycle.quiet.QuietState;
import dev.sluice.lifecycle.quiet.QuietStep;
import dev.sluice.lifecycle.quiet.Request.Kind;
import dev.sluice.lifecycle.quiet.Request.WhenLate;
import dev.sluice.lifecycle.quiet.Terms;
import dev.sluice.lifecycle.quiet.Terms.Way;
import dev.sluice.simulation.quiet.SimConnection.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Sees what happens, from outside of the machine, and knows what must not. */
final class Watch {

  private final QuietWorld world;
  private Optional<Instant> grace = Optional.empty();
  private Optional<Instant> deadline = Optional.empty();
  private Optional<Entry> stamped = Optional.empty();
  private Instant pauseSince = Instant.MIN;
  private Instant pauseUntil = Instant.MIN;
  private Instant endedAt = Instant.MAX;
  private Because endedBecause = Because.NOTED;
  private boolean refused;
  private boolean endedPoll;

  Watch(QuietWorld world) {
    this.world = world;
  }

  void marked(Instant graceEnds, Instant deadlineIs) {
    if (deadline.isEmpty() || deadlineIs.isBefore(deadline.get())) {
      deadline = Optional.of(deadlineIs);
    }
    if (grace.isEmpty() || graceEnds.isBefore(grace.get())) {
      grace = Optional.of(graceEnds);
    }
  }

  /** The switch is made: what comes later is another drain. */
  void beginAnew() {
    grace = Optional.empty();
    deadline = Optional.empty();
    refused = false;
    endedPoll = false;
  }

  private boolean isGraceOver() {
    return grace.isPresent() && !world.time().now().isBefore(grace.get());
  }

  // ---- while it happens ----------------------------------------------------------------------

  void saw(QuietState before, QuietStep step) {
    for (var action : step.actions()) {
      if (action instanceof QuietAction.StopReading) {
        stopsReading(step);
      }
      if (action instanceof QuietAction.SendEnd) {
        endedAt = world.time().now();
        endedBecause = step.because();
      }
    }
    if (before.phase() != Phase.SWITCHED && step.state().phase() == Phase.SWITCHED) {
      QuietInvariant.SHARE_CONSUMERS_STAY.require(
          !world.connection().isSharing() || world.habits().way() == Way.BETWEEN,
          () -> "a share consumer is switched");
      beginAnew();
    }
  }

  private void stopsReading(QuietStep step) {
    boolean unread = step.state().phase() == Phase.UNREAD;
    QuietInvariant.WHO_PAUSES_IS_READ.require(
        !unread
            || world.habits().known() != Courtesy.HONOURS
            || step.because() == Because.CANNOT_BE_REFUSED
            || step.because() == Because.UPSTREAM_LOST
            || world.broker().hasEnded(),
        () -> "not read because of " + step.because());
  }

  void forwards(Entry entry) {
    QuietInvariant.NOTHING_IS_FORWARDED_TWICE.require(
        !entry.forwarded && !entry.ownAnswer, () -> "forwarded again: " + entry.id());
    QuietInvariant.NOTHING_IS_FORWARDED_AFTER_THE_END.require(
        !world.connection().endSent() && !world.connection().isClosed(),
        () -> "forwarded after the end: " + entry.id());
    QuietInvariant.REFUSED_IS_A_SUFFIX.require(
        !refused || !isRefusable(entry), () -> "forwarded after a refusal: " + entry.id());
  }

  private static boolean isRefusable(Entry entry) {
    return entry.ask().kind() == Kind.ORDINARY && entry.ask().whenLate() == WhenLate.ANSWERED;
  }

  void answers(Entry entry, boolean isBeingRead) {
    QuietInvariant.NOTHING_IS_ANSWERED_WHILE_IT_IS_READ.require(
        !isBeingRead, () -> "not taken in yet: " + entry.id());
  }

  void answersItself(Entry entry, long throttle) {
    var now = world.time().now();
    boolean mayBeWithBroker =
        entry.ask().kind() == Kind.POLL || entry.ask().kind() == Kind.GROUP_WAIT;
    QuietInvariant.NOTHING_IS_FORWARDED_TWICE.require(
        !entry.forwarded || mayBeWithBroker, () -> "refused what the broker has: " + entry.id());
    for (var earlier : world.connection().entries()) {
      QuietInvariant.ANSWERS_KEEP_ORDER.require(
          earlier.answered || earlier.id() >= entry.id(),
          () -> "answers " + entry.id() + " before " + earlier.id());
    }
    var pace = world.habits().pause().dividedBy(2);
    QuietInvariant.ANSWERS_ARE_PACED.require(
        entry.forwarded || !now.isBefore(entry.readAt().plus(pace)),
        () -> "answered at once: " + entry.id());
    endedPoll |= entry.ask().kind() == Kind.POLL;
    QuietInvariant.NOTHING_IS_REFUSED_EARLY.require(
        entry.ask().kind() == Kind.POLL
            || entry.ask().kind() == Kind.SHARE_POLL
            || endedPoll
            || isGraceOver(),
        () -> "refused before the grace is over: " + entry.id());
    refused |= isRefusable(entry);
    if (throttle > 0) {
      asked(entry);
    }
  }

  /** What the response to this asks for counts from when it has left. */
  private void asked(Entry entry) {
    stamped = Optional.of(entry);
  }

  void stamps(Entry entry, long throttle) {
    var half = Duration.ofNanos(throttle / 2);
    var now = world.time().now();
    QuietInvariant.STAMPS_ARE_FEW.require(
        stamped.isEmpty() && !now.plus(half).isBefore(pauseUntil),
        () -> "stamped " + entry.id() + " in a pause until " + pauseUntil);
    asked(entry);
  }

  void written(Entry entry) {
    if (stamped.filter(entry::equals).isPresent()) {
      stamped = Optional.empty();
      pauseSince = world.time().now();
      pauseUntil = pauseSince.plus(entry.throttle);
    }
  }

  void oneWayRead(boolean forwarded) {
    QuietInvariant.ONE_WAYS_ARE_NEVER_LOST.require(
        forwarded || world.broker().hasEnded() || world.connection().isClosed(),
        () -> "a one-way request was read, and discarded");
  }

  void switches() {
    QuietInvariant.SWITCHED_IN_STILLNESS.require(
        world.connection().oneWaysInFlight() == 0
            && world.connection().entries().stream().noneMatch(Entry::isInFlight),
        () -> "a switch while something is in flight");
  }

  void check() {
    deadline.ifPresent(
        end ->
            QuietInvariant.CLOSED_BY_THE_DEADLINE.require(
                !world.time().now().isAfter(end) || isOver(),
                () -> "after the deadline it is " + world.connection().state().phase()));
  }

  private boolean isOver() {
    return world.connection().isClosed() || world.connection().state().phase() == Phase.SWITCHED;
  }

  // ---- in the end ----------------------------------------------------------------------------

  void checkEnd(Terms terms) {
    QuietInvariant.CLOSED_BY_THE_DEADLINE.require(
        deadline.isEmpty() || isOver(),
        () -> "in the end it is " + world.connection().state().phase());
    checkReport();
    boolean pausedInTime =
        endedBecause == Because.SILENT && world.habits().pauses() && world.habits().slowness() == 0;
    QuietInvariant.HONOURED_PAUSE_CANCELS_NOTHING.require(
        !pausedInTime || world.client().cancelled() == 0,
        () -> world.client().cancelled() + " requests are cancelled");
    if (world.habits().calm()) {
      checkCalm(terms);
    }
  }

  private void checkReport() {
    if (!(world.connection().state() instanceof QuietState.Closed(var report))) {
      return;
    }
    long lacking =
        world.connection().entries().stream().filter(each -> !each.written).count()
            + (world.connection().hasParked() ? 1 : 0);
    int counted = report.unanswered().values().stream().mapToInt(Integer::intValue).sum();
    QuietInvariant.THE_REPORT_IS_THE_CLIENTS_VIEW.require(
        counted == lacking, () -> counted + " are counted, " + lacking + " lack an answer");
  }

  private void checkCalm(Terms terms) {
    QuietInvariant.CALM_DRAINS_ARE_NOT_NOTICED.require(
        terms.way().stays()
            ? world.connection().state().phase() == Phase.SWITCHED && !world.connection().isClosed()
            : grace.isPresent() && endedAt.isBefore(grace.get()),
        () -> "it ends as " + world.connection().state());
    // An idle client cannot be asked for a pause: what it sends just then crosses the end.
    QuietInvariant.CALM_DRAINS_ARE_NOT_NOTICED.require(
        world.client().cancelled() == 0 || endedBecause == Because.IDLE,
        () -> world.client().cancelled() + " requests are cancelled by " + endedBecause);
  }
}
