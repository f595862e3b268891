package dev.sluice.roller.platform;

import dev.sluice.planner.reading.Phase;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a status command said: lines of {@code key=value}, others are passed over. Either the names
 * of {@code systemctl show --timestamp=unix -p
 * ActiveState,SubState,ExecMainStartTimestamp,ExecMainExitTimestamp,Result}, or {@code state}
 * ({@code running}, {@code starting}, {@code stopped}, {@code failed}), {@code since} (ISO 8601, or
 * seconds since the epoch), {@code ready} and {@code why}.
 *
 * @param since when this phase began
 */
record CommandStatus(Phase phase, Instant since, boolean ready, String why) {

  static CommandStatus parse(String output) throws IOException {
    Map<String, String> said = pairs(output);
    String state = said.getOrDefault("state", said.getOrDefault("ActiveState", ""));
    Phase phase =
        switch (state) {
          case "running", "active", "deactivating", "reloading" -> Phase.RUNNING;
          case "starting", "activating" ->
              said.getOrDefault("SubState", "").equals("auto-restart")
                  ? Phase.CANNOT_START
                  : Phase.PENDING;
          case "stopped", "inactive" -> Phase.ABSENT;
          case "failed" -> Phase.CANNOT_START;
          default ->
              throw new IOException(
                  "expected a line state=running, starting, stopped or failed, or systemd's ActiveState, found '"
                      + output.strip().lines().findFirst().orElse("")
                      + "'");
        };
    boolean running = phase == Phase.RUNNING;
    String systemd = running ? "ExecMainStartTimestamp" : "ExecMainExitTimestamp";
    Optional<Instant> since = instant(said.getOrDefault("since", said.getOrDefault(systemd, "")));
    if (since.isEmpty() && running) {
      throw new IOException(
          "expected when the process started, as since=... or systemd's ExecMainStartTimestamp: it tells one process from the next");
    }
    return new CommandStatus(
        phase,
        since.orElse(Instant.EPOCH),
        running && !said.getOrDefault("ready", "true").equals("false"),
        said.getOrDefault("why", said.getOrDefault("Result", "")));
  }

  static Map<String, String> pairs(String output) {
    Map<String, String> pairs = new TreeMap<>();
    output
        .lines()
        .map(line -> line.split("=", 2))
        .filter(pair -> pair.length == 2)
        .forEach(pair -> pairs.put(pair[0].strip(), pair[1].strip()));
    return pairs;
  }

  private static Optional<Instant> instant(String text) throws IOException {
    if (text.isEmpty() || text.equals("n/a")) {
      return Optional.empty();
    }
    String plain = text.startsWith("@") ? text.substring(1) : text;
    try {
      return Optional.of(
          plain.chars().allMatch(Character::isDigit)
              ? Instant.ofEpochSecond(Long.parseLong(plain))
              : Instant.parse(plain));
    } catch (DateTimeParseException | NumberFormatException e) {
      throw new IOException(
          "expected seconds since the epoch or ISO 8601 in UTC, found '"
              + text
              + "'; systemctl show wants --timestamp=unix",
          e);
    }
  }
}
