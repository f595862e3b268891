package dev.sluice.app.command;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which running proxy a command talks to. */
final class ManagementOption {

  @Option(
      names = "--management",
      paramLabel = "URL",
      defaultValue = "${env:SLUICE_MANAGEMENT:-http://127.0.0.1:9190}",
      description = {
        "The management API of the proxy (default: $$SLUICE_MANAGEMENT, or http://127.0.0.1:9190)."
      })
  private URI url = URI.create("http://127.0.0.1:9190");

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Its first line is the bearer token that the management API asks for.")
  private @Nullable Path tokenFile;

  ManagementClient client() {
    return new ManagementClient(url, token());
  }

  private Optional<String> token() {
    if (tokenFile == null) {
      return Optional.empty();
    }
    try (var lines = Files.lines(tokenFile)) {
      return lines.findFirst().map(String::strip);
    } catch (IOException e) {
      throw new CommandFailedException(
          "Expected a file with a token, found none that can be read at " + tokenFile + ".", e);
    }
  }
}
