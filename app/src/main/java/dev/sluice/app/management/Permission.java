package dev.sluice.app.management;

import io.javalin.http.Context;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who may make calls that change something: who shows the bearer token, or who calls from this
 * machine and is not a web page of somebody else (a browser says so in {@code Origin}, and a name
 * that was made to point here is not a loopback name in {@code Host}).
 */
final class Permission {

  private static final String BEARER = "bearer ";

  private final Optional<Path> tokenFile;

  Permission(Optional<Path> tokenFile) {
    this.tokenFile = tokenFile;
  }

  /** Refuses with 401 or 403. */
  void check(Context call) {
    var shown = call.header("Authorization");
    if (shown != null) {
      checkToken(shown);
      return;
    }
    if (!isLoopback(call.ip())) {
      throw new ProblemException(
          401,
          "Unauthorized",
          "Expected a call from this machine or with a bearer token, found neither; send the token of"
              + " management.tokenFile, with the commands by --token-file.");
    }
    if (!isLoopbackName(host(call.host()))) {
      throw forbidden("a call to a loopback address", "Host", call.host());
    }
    if (!isOwnOrigin(call.header("Origin"))) {
      throw forbidden(
          "a call that is not from another site's page", "Origin", call.header("Origin"));
    }
  }

  /**
   * Refuses with 403 what a page of somebody else may read whose name was made to point here. Such
   * a page has a name; probes and scrapers that come through a proxy on this machine use an
   * address.
   */
  void checkHost(Context call) {
    var host = host(call.host());
    if (!isLoopback(call.ip()) || isLoopbackName(host) || isAddress(host)) {
      return;
    }
    var shown = call.header("Authorization");
    if (shown == null) {
      throw forbidden("a call to an address or a loopback name", "Host", call.host());
    }
    checkToken(shown);
  }

  private static ProblemException forbidden(
      String expected, String header, @Nullable String found) {
    return new ProblemException(
        403,
        "Forbidden",
        "Expected "
            + expected
            + ", found "
            + header
            + " '"
            + found
            + "'; call 127.0.0.1, or send the token of management.tokenFile.");
  }

  private void checkToken(String shown) {
    var isBearer = shown.toLowerCase(Locale.ROOT).startsWith(BEARER);
    var token = isBearer ? shown.substring(BEARER.length()).strip() : "";
    if (token.isEmpty() || !expected().map(right -> same(right, token)).orElse(false)) {
      throw new ProblemException(
          401,
          "Unauthorized",
          "Expected the bearer token of management.tokenFile, found another; send the first line of"
              + " that file.");
    }
  }

  /** In a time that says nothing about where they differ. */
  private static boolean same(String right, String shown) {
    return MessageDigest.isEqual(
        right.getBytes(StandardCharsets.UTF_8), shown.getBytes(StandardCharsets.UTF_8));
  }

  /** Read at every call, so that a token can be replaced while the proxy runs. */
  private Optional<String> expected() {
    return tokenFile.flatMap(Permission::firstLine).filter(token -> !token.isEmpty());
  }

  private static Optional<String> firstLine(Path file) {
    try (var lines = Files.lines(file)) {
      return lines.findFirst().map(String::strip);
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static boolean isOwnOrigin(@Nullable String origin) {
    if (origin == null) {
      return true;
    }
    try {
      var host = URI.create(origin).getHost();
      return host != null && isLoopbackName(host);
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  /** Without the port. */
  private static String host(@Nullable String hostAndPort) {
    return hostAndPort == null ? "" : hostAndPort.replaceFirst(":[0-9]+$", "");
  }

  private static boolean isLoopbackName(String name) {
    return name.equalsIgnoreCase("localhost") || isLoopback(name);
  }

  private static boolean isLoopback(String address) {
    return literal(address).filter(InetAddress::isLoopbackAddress).isPresent();
  }

  private static boolean isAddress(String name) {
    return literal(name).isPresent();
  }

  private static Optional<InetAddress> literal(String address) {
    try {
      return Optional.of(InetAddress.ofLiteral(address.replace("[", "").replace("]", "")));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
