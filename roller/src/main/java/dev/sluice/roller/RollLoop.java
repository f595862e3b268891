package dev.sluice.roller;

import dev.sluice.planner.Assessment;
import dev.sluice.planner.Assessment.Awaited;
import dev.sluice.planner.Blocked;
import dev.sluice.planner.HaltReason;
import dev.sluice.planner.HoldReason;
import dev.sluice.planner.Memory;
import dev.sluice.planner.Plan;
import dev.sluice.planner.Planner;
import dev.sluice.planner.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * One roll: observe, decide, journal, act once, observe again. {@link #run} is called once, by one
 * thread; {@link #stopAfterBatch} by any.
 */
public final class RollLoop {

  private final Observer observer;
  private final Actuator actuator;
  private final Journal journal;
  private final RollListener listener;
  private final LoopSettings settings;
  private final OtherHands otherHands;
  private final CountDownLatch stop = new CountDownLatch(1);
  private volatile String whyStop = "";

  public RollLoop(
      Observer observer,
      Actuator actuator,
      Journal journal,
      RollListener listener,
      LoopSettings settings) {
    this.observer = observer;
    this.actuator = actuator;
    this.journal = journal;
    this.listener = listener;
    this.settings = settings;
    this.otherHands = new OtherHands(settings.quiet());
  }

  /** From now on no batch begins; the one under way is followed to its end. */
  public void stopAfterBatch(String why) {
    whyStop = why;
    stop.countDown();
  }

  /**
   * Rolls until nothing is left to do, until it is not safe to go on, or until asked to stop.
   *
   * @param remembered what the journal knows of this roll
   * @throws java.io.UncheckedIOException if the journal cannot be written; nothing was acted upon
   *     since
   */
  public Outcome run(Memory remembered, Policy policy) throws InterruptedException {
    Memory memory = remembered;
    while (true) {
      long began = System.nanoTime();
      Look look = look(memory, policy);
      Plan plan = Planner.next(look.view(), memory, policy);
      foretell(look, memory, policy);
      listener.decided(look, plan);
      giveBackLeadership(look, plan);
      switch (plan) {
        case Plan.Done done -> {
          return ended(new Outcome.Finished(done), plan.at());
        }
        case Plan.Halt halt -> {
          return ended(new Outcome.Halted(halt, lastWords(halt.why())), plan.at());
        }
        case Plan.Hold hold when mayStop(hold) && stops(plan.at()) -> {
          return ended(new Outcome.Stopped(whyStop), plan.at());
        }
        case Plan.Hold hold -> {
          memory = memory.after(hold);
          pause(began);
        }
        case Plan.Act _ when stops(plan.at()) -> {
          return ended(new Outcome.Stopped(whyStop), plan.at());
        }
        case Plan.Act act -> {
          if (isStillSafe(act, memory, policy)) {
            memory = act(act, memory);
          } else {
            pause(began);
          }
        }
      }
    }
  }

  private void foretell(Look look, Memory memory, Policy policy) {
    listener.foresaw(() -> Planner.forecast(look.view(), memory, policy));
  }

  private Look look(Memory memory, Policy policy) throws InterruptedException {
    long began = System.nanoTime();
    Look look = observer.look(memory, policy);
    listener.looked(Duration.ofNanos(System.nanoTime() - began));
    return look.with(otherHands.look(look.view(), memory));
  }

  /** A plan that a fresh look speaks against is dropped as if it had not been made. */
  private boolean isStillSafe(Plan.Act act, Memory memory, Policy policy)
      throws InterruptedException {
    Look fresh = look(memory, policy);
    if (fresh.view().anotherRoll().isPresent()) {
      return false;
    }
    List<Blocked> objections = Planner.recheck(act, fresh.view(), memory, policy);
    if (!objections.isEmpty()) {
      listener.dropped(act, objections);
    }
    return objections.isEmpty();
  }

  private Memory act(Plan.Act act, Memory before) throws InterruptedException {
    Memory after = before.after(act);
    journal.intends(act, before, after);
    listener.acting(act);
    listener.acted(act, actuator.perform(act));
    return after;
  }

  /** Servers that came back lead again what they led before; others are left alone. */
  private void giveBackLeadership(Look look, Plan plan) throws InterruptedException {
    Set<Integer> back =
        plan.servers().stream()
            .filter(server -> server.awaited() == Awaited.RETURNED && server.broker())
            .map(Assessment::server)
            .collect(Collectors.toSet());
    List<Look.Astray> theirs =
        look.astray().stream().filter(each -> back.contains(each.preferred())).toList();
    if (!theirs.isEmpty()) {
      actuator.electPreferred(theirs);
    }
  }

  /** Nobody is left half-way: a stop waits for servers that are on their way back. */
  private static boolean mayStop(Plan.Hold hold) {
    return !(hold.why() instanceof HoldReason.AwaitingReturn);
  }

  private boolean stops(Instant now) {
    if (stop.getCount() == 0) {
      return true;
    }
    if (settings.until().isPresent() && !now.isBefore(settings.until().get())) {
      whyStop = "it is " + settings.until().get() + ", until when it was to act";
      return true;
    }
    return false;
  }

  private void pause(long began) throws InterruptedException {
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    Duration pause = took.compareTo(settings.pause()) > 0 ? took : settings.pause();
    if (stop.getCount() == 0) {
      Thread.sleep(pause);
    } else {
      boolean _ = stop.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private SortedMap<Integer, List<String>> lastWords(HaltReason why) {
    SortedMap<Integer, List<String>> words = new TreeMap<>();
    switch (why) {
      case HaltReason.DidNotComeBack(int server, _, _) ->
          words.put(server, actuator.lastWords(server));
      case HaltReason.DownAndCurrent(int server, _) ->
          words.put(server, actuator.lastWords(server));
      case HaltReason.Loop _,
          HaltReason.TooManyRestarts _,
          HaltReason.DesiredConflicts _,
          HaltReason.NothingMoved _ -> {}
    }
    return words;
  }

  private Outcome ended(Outcome outcome, Instant at) {
    journal.ended(outcome, at);
    listener.ended(outcome);
    return outcome;
  }
}
