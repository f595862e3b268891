package dev.sluice.planner;

import dev.sluice.planner.Assessment.Awaited;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the planner remembers of a roll, as a value: it grows with the number of servers and with
 * nothing else. Fed with the plans of a journal, in order, it is rebuilt after a crash.
 *
 * @param servers by id; a server of which there is nothing to remember is not there
 * @param lastActed when we acted last; readings taken before are too old to decide on
 * @param blockedSince since when nothing at all could be done; empty when something can
 */
public record Memory(
    SortedMap<Integer, ServerMemory> servers,
    Optional<Instant> lastActed,
    Optional<Instant> blockedSince) {

  public static final Memory EMPTY =
      new Memory(new TreeMap<>(), Optional.empty(), Optional.empty());

  public Memory {
    servers = Collections.unmodifiableSortedMap(new TreeMap<>(servers));
  }

  public ServerMemory of(int server) {
    return servers.getOrDefault(server, ServerMemory.EMPTY);
  }

  /** What is remembered once a plan was made and, if it acts, is about to be obeyed. */
  public Memory after(Plan plan) {
    SortedMap<Integer, ServerMemory> next = new TreeMap<>();
    boolean somethingMoved = false;
    for (Assessment server : plan.servers()) {
      ServerMemory before = of(server.server());
      ServerMemory after = before.after(server, plan.at());
      somethingMoved |= after.movedFrom(before) || server.awaited() == Awaited.RETURNED;
      if (plan instanceof Plan.Act act && act.targets().containsKey(server.server())) {
        after = after.actedOn(server, act.need(server.server()), plan.at());
      }
      if (!after.equals(ServerMemory.EMPTY)) {
        next.put(server.server(), after);
      }
    }
    Optional<Instant> acted = plan instanceof Plan.Act ? Optional.of(plan.at()) : lastActed;
    boolean blocked = plan instanceof Plan.Hold hold && hold.why().blocks() && !somethingMoved;
    boolean halted = plan instanceof Plan.Halt;
    return new Memory(
        next,
        acted,
        blocked || halted ? blockedSince.or(() -> Optional.of(plan.at())) : Optional.empty());
  }

  /** How long restarts of one server took, on average; empty when none was seen. */
  Optional<Duration> seen(int server) {
    return of(server).averageReturn();
  }
}
