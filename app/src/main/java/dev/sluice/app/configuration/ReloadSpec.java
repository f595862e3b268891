package dev.sluice.app.configuration;

import dev.sluice.lifecycle.reload.ReloadPolicy;

/**
 * How the configuration is reloaded.
 *
 * @param watch whether a change of the file, or of a file that it names, reloads by itself
 * @param policy how reloads are done
 */
public record ReloadSpec(boolean watch, ReloadPolicy policy) {

  /** What holds where the configuration says nothing. */
  public static final ReloadSpec DEFAULT = new ReloadSpec(true, ReloadPolicy.DEFAULT);
}
