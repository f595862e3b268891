package dev.sluice.app.management;

import dev.sluice.app.configuration.Configuration;
import dev.sluice.app.configuration.ConfigurationFile;
import dev.sluice.app.configuration.ConfigurationSchema;
import dev.sluice.app.configuration.ManagementSpec;
import dev.sluice.app.configuration.ReloadSpec;
import dev.sluice.app.reload.ReloadFiles;
import dev.sluice.app.reload.Reloader;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.proxy.NetworkSpec;
import dev.sluice.proxy.Proxy;
import dev.sluice.proxy.ProxySpec;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** For servers that nobody asks for a reload. */
final class Reloaders {

  private Reloaders() {}

  /** Of a proxy that began without a file. */
  static Reloader withoutFile(Proxy proxy) {
    var reader = new ConfigurationFile(ConfigurationSchema.load(), _ -> Optional.empty());
    var began =
        new Configuration(
            ManagementSpec.DEFAULT,
            new ProxySpec(NetworkSpec.DEFAULT, FailurePolicy.DEFAULT, List.of()),
            Optional.empty(),
            ReloadSpec.DEFAULT);
    var files = new ReloadFiles(reader, Optional.empty());
    return new Reloader(proxy, files, began, Clock.systemUTC());
  }
}
