package dev.sluice.app.command;

import java.io.IOException;
import java.net.InetAddress;
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
        "The management API of the proxy (default: $$SLUICE_MANAGEMENT, or",
        "http://127.0.0.1:9190)."
      })
  private URI url = URI.create("http://127.0.0.1:9190");

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Its first line is the bearer token that the management API asks for.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      defaultValue = "${env:SLUICE_CA}",
      description = {
        "PEM: whose certificates are believed with https:// (default: $$SLUICE_CA, or those that"
            + " this machine's Java believes)."
      })
  private @Nullable Path authorities;

  @Option(
      names = "--client-key",
      paramLabel = "FILE",
      description = {
        "PEM, not encrypted: the private key and certificates that are shown where management.tls"
            + " asks for them."
      })
  private @Nullable Path key;

  /** Warns of a token that others could read. */
  ManagementClient client(Terminal terminal) {
    if (tokenFile != null && isOverheard(url)) {
      terminal
          .err()
          .println(
              "warning: expected https:// with --token-file, found "
                  + url
                  + "; whoever listens on the way reads the token, and can use it");
    }
    var trust = Optional.ofNullable(authorities);
    return new ManagementClient(
        url, token(), CallerTls.of(trust, Optional.ofNullable(key)), trust.isPresent());
  }

  /** Whether it leaves this machine in plain text. Names are not looked up. */
  private static boolean isOverheard(URI url) {
    var host = String.valueOf(url.getHost()).replace("[", "").replace("]", "");
    if (!"http".equalsIgnoreCase(url.getScheme()) || host.equalsIgnoreCase("localhost")) {
      return false;
    }
    try {
      return !InetAddress.ofLiteral(host).isLoopbackAddress();
    } catch (IllegalArgumentException _) {
      return true;
    }
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
