package dev.sluice.planner;

import dev.sluice.planner.configuration.Operation;
import java.util.List;
import java.util.stream.Collectors;

/** What one server needs, and what is done to it: a need that is met is an action. */
public sealed interface Need {

  /** One clause. */
  String sentence();

  /** Nothing. */
  record Nothing() implements Need {
    @Override
    public String sentence() {
      return "needs nothing";
    }
  }

  /** Nobody knows, which is neither nothing nor something. */
  record Undetermined(String why) implements Need {
    @Override
    public String sentence() {
      return "what it needs is not known: " + why;
    }
  }

  /** Changes that take effect while it runs. */
  record Reconfigure(List<Operation> operations) implements Need {
    public Reconfigure {
      operations = List.copyOf(operations);
      if (operations.isEmpty()) {
        throw new IllegalArgumentException(
            "expected at least one operation, found none; a server without operations needs nothing");
      }
    }

    @Override
    public String sentence() {
      return "reconfigure: "
          + operations.stream().map(Operation::sentence).collect(Collectors.joining(", "));
    }
  }

  /** A restart, or a start when it does not run. Never without a reason. */
  record Restart(List<RestartReason> reasons) implements Need {
    public Restart {
      reasons = List.copyOf(reasons);
      if (reasons.isEmpty()) {
        throw new IllegalArgumentException(
            "expected at least one reason to restart, found none; never restart without a reason");
      }
    }

    @Override
    public String sentence() {
      return "restart: "
          + reasons.stream().map(RestartReason::sentence).collect(Collectors.joining(", "));
    }
  }
}
