package dev.sluice.app.reload;

import dev.sluice.app.configuration.ManagementSpec;
import java.util.Optional;

/** The keys of the process itself, which no virtual cluster has. Safe for use from every thread. */
public interface OwnKeys {

  /** There are none. */
  OwnKeys NONE =
      new OwnKeys() {
        @Override
        public Optional<String> objection(ManagementSpec next) {
          return Optional.empty();
        }

        @Override
        public void take(ManagementSpec next) {}
      };

  /** Why what is named there cannot be used, in a sentence. Changes nothing. Blocks. */
  Optional<String> objection(ManagementSpec next);

  /** Goes on with what is named there. Blocks. */
  void take(ManagementSpec next);
}
