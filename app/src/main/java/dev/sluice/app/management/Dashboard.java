package dev.sluice.app.management;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The page for people: a few files, kept in memory, that load nothing from elsewhere. */
final class Dashboard {

  private static final String FOLDER = "/dev/sluice/app/dashboard/";
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  /** Every file, and what it is. */
  private static final Map<String, String> FILES = files();

  /** Only what comes from here is loaded or asked; nobody may frame the page. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private Dashboard() {}

  private static Map<String, String> files() {
    var files = new LinkedHashMap<String, String>();
    files.put("index.html", "text/html; charset=utf-8");
    files.put("dashboard.css", "text/css; charset=utf-8");
    files.put("icon.svg", "image/svg+xml");
    for (var script :
        new String[] {
          "main", "api", "cluster", "diagram", "dialog", "live", "page", "reload", "roll"
        }) {
      files.put(script + ".js", SCRIPT);
    }
    return Map.copyOf(files);
  }

  static void addTo(RoutesConfig routes) {
    FILES.forEach(
        (name, type) -> {
          var content = read(name);
          routes.get(path(name), call -> answer(call, type, content));
        });
  }

  /** Whether a path belongs to the page. */
  static boolean serves(String path) {
    return FILES.keySet().stream().anyMatch(name -> path(name).equals(path));
  }

  private static String path(String name) {
    return name.equals("index.html") ? "/" : "/" + name;
  }

  private static void answer(Context call, String type, byte[] content) {
    call.header("Content-Security-Policy", POLICY)
        .header("X-Content-Type-Options", "nosniff")
        .header("Referrer-Policy", "no-referrer")
        .header("Cache-Control", "no-cache")
        .contentType(type)
        .result(content);
  }

  private static byte[] read(String name) {
    try (var in = Dashboard.class.getResourceAsStream(FOLDER + name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
