package dev.sluice.simulation.roll;

import dev.sluice.planner.Block;
import dev.sluice.planner.Blocked;
import dev.sluice.planner.Exemption;
import dev.sluice.planner.HaltReason;
import dev.sluice.planner.Memory;
import dev.sluice.planner.Need;
import dev.sluice.planner.Plan;
import dev.sluice.planner.Planner;
import dev.sluice.planner.Policy;
import dev.sluice.simulation.Chance;
import dev.sluice.simulation.VirtualTime;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Looks, decides, writes down, acts and looks again, and may die between any two of these. What it
 * writes down are the plans that act or halt; from them alone its next life remembers.
 */
final class SimRoller {

  private final SimCluster cluster;
  private final Planning planning;
  private final Witness witness;
  private final Consumer<Plan> seen;
  private final Chance chance;
  private final VirtualTime time;
  private Memory memory = Memory.EMPTY;
  private Memory journal = Memory.EMPTY;
  private Policy policy;
  private boolean dies;
  private int life;
  private boolean done;
  private int dropped;
  private String said = "";

  SimRoller(SimCluster cluster, Planning planning, Witness witness, Consumer<Plan> seen) {
    this.cluster = cluster;
    this.planning = planning;
    this.witness = witness;
    this.seen = seen;
    this.chance = cluster.chance;
    this.time = cluster.time;
    this.policy = cluster.swarm.policy();
    this.dies = cluster.swarm.rollerCrashes();
  }

  void begin() {
    look(life);
  }

  /** Whether its last word is that nothing is left to do. */
  boolean done() {
    return done;
  }

  /** How many plans a second look spoke against. */
  int dropped() {
    return dropped;
  }

  /** A person starts a roll anew, with nothing remembered; the roller does not die any more. */
  void renew() {
    dies = false;
    memory = Memory.EMPTY;
    journal = Memory.EMPTY;
    done = false;
    witness.newRoll();
    int now = ++life;
    time.after(Duration.ofSeconds(1), () -> look(now));
  }

  private void look(int as) {
    if (as != life || diesHere()) {
      return;
    }
    Looks looks = Looks.begin(cluster);
    time.after(chance.millis(50, 2_000), () -> decide(as, looks));
  }

  private void decide(int as, Looks looks) {
    if (as != life || diesHere()) {
      return;
    }
    Plan plan = planning.next(looks.end(), memory, policy);
    if (cluster.swarm.looksTwice() && plan instanceof Plan.Act act) {
      time.after(chance.millis(20, 1_500), () -> recheck(as, act));
    } else {
      obey(as, plan);
    }
  }

  /** A plan that a second look speaks against is dropped as if it had not been made. */
  private void recheck(int as, Plan.Act act) {
    if (as != life || diesHere()) {
      return;
    }
    if (Planner.recheck(act, Looks.begin(cluster).end(), memory, policy).isEmpty()) {
      obey(as, act);
    } else {
      cluster.trace.note(time.now() + " dropped: " + act.sentence());
      dropped++;
      time.after(chance.millis(1_500, 9_000), () -> look(as));
    }
  }

  private void obey(int as, Plan plan) {
    memory = memory.after(plan);
    if (plan instanceof Plan.Act || plan instanceof Plan.Halt) {
      journal = journal.after(plan);
    }
    seen.accept(plan);
    note(plan);
    done = plan instanceof Plan.Done;
    if (diesHere()) {
      return;
    }
    switch (plan) {
      case Plan.Act act -> time.after(chance.millis(20, 1_000), () -> act(as, act));
      case Plan.Hold _ -> time.after(chance.millis(1_500, 9_000), () -> look(as));
      case Plan.Done _ -> time.after(chance.millis(5_000, 30_000), () -> look(as));
      case Plan.Halt halt ->
          time.after(chance.millis(30_000, 200_000), () -> resumed(as, halt.why()));
    }
  }

  private void act(int as, Plan.Act act) {
    if (as != life) {
      return;
    }
    witness.acts(act);
    act.targets().forEach((id, need) -> perform(cluster.servers.get(id), need));
    if (!diesHere()) {
      time.after(chance.millis(500, 3_000), () -> look(as));
    }
  }

  private void perform(SimServer server, Need need) {
    switch (need) {
      case Need.Restart _ -> {
        server.pendingChange &= server.refusesChanges;
        cluster.restart(server);
      }
      case Need.Reconfigure _ -> server.pendingChange &= server.refusesChanges;
      case Need.Nothing _, Need.Undetermined _ ->
          throw new IllegalStateException("expected something to do, found " + need);
    }
  }

  /**
   * A person looks at why it halted. For what does not serve, and may be the last to know what a
   * partition has acknowledged, nobody else can decide; nor when no broker serves at all.
   */
  private void resumed(int as, HaltReason why) {
    if (as != life) {
      return;
    }
    if (why instanceof HaltReason.NothingMoved(_, List<Blocked> blocked)) {
      Set<Exemption> exemptions = new HashSet<>(policy.exemptions());
      blocked.stream()
          .filter(each -> cluster.servers.get(each.server()).state != SimServer.State.UP)
          .filter(each -> onlyAPersonDecides(each.why()))
          .forEach(each -> exemptions.add(new Exemption(each.server(), each.why().rule())));
      policy = policy.withExemptions(exemptions);
    }
    memory = Memory.EMPTY;
    journal = Memory.EMPTY;
    witness.newRoll();
    look(as);
  }

  private boolean onlyAPersonDecides(Block why) {
    return why instanceof Block.MayBeLastLeader
        || (cluster.serving() == 0
            && (why instanceof Block.PartitionsUnknown || why instanceof Block.BeingReassigned));
  }

  private boolean diesHere() {
    if (!dies || !chance.onceIn(40)) {
      return false;
    }
    cluster.trace.note(time.now() + " the roller dies");
    int next = ++life;
    time.after(
        chance.millis(2_000, 40_000),
        () -> {
          memory = journal;
          look(next);
        });
    return true;
  }

  private void note(Plan plan) {
    String now =
        plan instanceof Plan.Hold hold ? hold.why().getClass().getSimpleName() : plan.sentence();
    if (!now.equals(said)) {
      said = now;
      cluster.trace.note(time.now() + " " + now);
    }
  }
}
