package dev.sluice.planner;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is to be done next, and why. */
public sealed interface Plan {

  /** The instant of the view that it was made from. */
  Instant at();

  /** What is thought of every server, by id. */
  List<Assessment> servers();

  /** One sentence. */
  String sentence();

  /**
   * Nothing is left to do.
   *
   * @param leftAlone servers that need something and are frozen
   */
  record Done(Instant at, List<Assessment> servers, List<Blocked> leftAlone) implements Plan {
    public Done {
      servers = List.copyOf(servers);
      leftAlone = List.copyOf(leftAlone);
    }

    @Override
    public String sentence() {
      return "done" + Blocked.said(leftAlone);
    }
  }

  /** Wait, and look again. */
  record Hold(Instant at, List<Assessment> servers, HoldReason why) implements Plan {
    public Hold {
      servers = List.copyOf(servers);
    }

    @Override
    public String sentence() {
      return "hold: " + why.sentence();
    }
  }

  /**
   * Act on these servers, all together.
   *
   * @param targets what to do, by server; all restarts, or one reconfiguration
   * @param notices what is going to be missed meanwhile
   * @param exempted rules that were skipped because a person said so
   * @param blocked servers that had to be passed over
   */
  record Act(
      Instant at,
      List<Assessment> servers,
      Stage stage,
      SortedMap<Integer, Need> targets,
      List<Notice> notices,
      List<Blocked> exempted,
      List<Blocked> blocked)
      implements Plan {

    public Act {
      servers = List.copyOf(servers);
      targets = Collections.unmodifiableSortedMap(new TreeMap<>(targets));
      notices = List.copyOf(notices);
      exempted = List.copyOf(exempted);
      blocked = List.copyOf(blocked);
      if (targets.isEmpty()) {
        throw new IllegalArgumentException("expected a server to act on, found none; hold instead");
      }
    }

    Need need(int server) {
      Need need = targets.get(server);
      if (need == null) {
        throw new IllegalArgumentException(
            "expected one of " + targets.keySet() + ", found server " + server);
      }
      return need;
    }

    @Override
    public String sentence() {
      StringBuilder said = new StringBuilder(stage.sentence());
      targets.forEach(
          (id, need) -> said.append("; server ").append(id).append(": ").append(need.sentence()));
      notices.forEach(notice -> said.append("; ").append(notice.sentence()));
      exempted.forEach(
          skipped ->
              said.append("; against the rule, because told so: ").append(skipped.sentence()));
      return said.toString();
    }
  }

  /** Stop. Only a person goes on from here. */
  record Halt(Instant at, List<Assessment> servers, HaltReason why) implements Plan {
    public Halt {
      servers = List.copyOf(servers);
    }

    @Override
    public String sentence() {
      return "halt: " + why.sentence();
    }
  }
}
