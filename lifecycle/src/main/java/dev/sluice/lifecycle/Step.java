package dev.sluice.lifecycle;

import java.util.List;

/** The answer of {@link Lifecycle#on} to an event. */
public sealed interface Step {

  Reason reason();

  /** An edge of the transition table: an entry in the history. */
  record Moved(ClusterState state, List<Action> actions, Reason reason) implements Step {
    public Moved {
      actions = List.copyOf(actions);
    }
  }

  /**
   * A fact within the state changed (a reload prepares beside it, a deadline came nearer); no edge
   * of the table, no entry in the history.
   */
  record Noted(ClusterState state, List<Action> actions, Reason reason) implements Step {
    public Noted {
      actions = List.copyOf(actions);
    }
  }

  /** Nothing changed: a benign race, such as the answer of an abandoned set-up. */
  record Stayed(Reason reason) implements Step {}

  /** Nothing changed: this cannot be asked of it now. The API answers 409. */
  record Refused(Reason reason) implements Step {}

  /** What the shell has to do, in order. */
  default List<Action> actions() {
    return switch (this) {
      case Moved moved -> moved.actions;
      case Noted noted -> noted.actions;
      case Stayed _, Refused _ -> List.of();
    };
  }

  /** The state after it. */
  default ClusterState stateAfter(ClusterState before) {
    return switch (this) {
      case Moved moved -> moved.state;
      case Noted noted -> noted.state;
      case Stayed _, Refused _ -> before;
    };
  }
}
