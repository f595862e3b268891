package dev.sluice.roller.cluster;

import dev.sluice.planner.configuration.Desired;
import dev.sluice.roller.ServerSpec;
import java.io.IOException;
import java.util.Optional;

/** What servers should be configured with. Asked anew at every look. */
@FunctionalInterface
public interface DesiredConfiguration {

  /** Nobody compares configurations. */
  DesiredConfiguration NONE = _ -> Optional.empty();

  /**
   * Of one server.
   *
   * @return empty when its configuration is not to be compared
   * @throws IOException if it is to be, and cannot be read
   */
  Optional<Desired> of(ServerSpec server) throws IOException;
}
