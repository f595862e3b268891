package dev.sluice.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Which virtual cluster something is asked of; asks it, and waits for what comes of it. */
final class ClusterOption {

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

  /** How long to wait where nothing tells a deadline: for a set-up. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How long after its deadline a drain may be under way. */
  private static final Duration BEYOND_DEADLINE = Duration.ofSeconds(5);

  /** A report waits until everything that was cut is counted. */
  private static final Duration REPORT_PATIENCE = Duration.ofSeconds(2);

  @Mixin private final ManagementOption management = new ManagementOption();
  @Mixin private final OutputOption output = new OutputOption();

  @Parameters(paramLabel = "NAME", description = "The virtual cluster.")
  private String name = "";

  /**
   * What is asked.
   *
   * @param call the last part of its path, with its parameters
   * @param wanted the state that it is to end in
   * @param underWay whether it has not ended yet
   * @param drains whether connections leave, so that a report follows
   */
  record Wish(String call, String wanted, Predicate<JsonNode> underWay, boolean drains) {}

  /** Asks, waits, and prints what has come of it. */
  int ask(Wish wish, Terminal terminal) throws InterruptedException {
    JsonNode seen;
    try (var client = management.client(terminal)) {
      seen = outcome(client, wish, new ProgressLine(terminal));
    }
    return tell(wish, seen, terminal);
  }

  private JsonNode outcome(ManagementClient client, Wish wish, ProgressLine progress)
      throws InterruptedException {
    var path = "/api/v1/virtual-clusters/" + UrlText.encoded(name);
    var before = client.get(path);
    var seen = client.post(path + "/" + wish.call());
    var end = Instant.now().plus(PATIENCE);
    while (wish.underWay().test(seen) && Instant.now().isBefore(end)) {
      progress.show(name + ": " + DrainText.progress(seen));
      Thread.sleep(BETWEEN_LOOKS);
      seen = client.get(path);
      end = later(end, seen.path("drain").path("deadline"));
    }
    progress.clear();
    return wish.drains() ? withReport(client, path, before, seen) : seen;
  }

  private static Instant later(Instant end, JsonNode deadline) {
    if (!deadline.isTextual()) {
      return end;
    }
    var last = Instant.parse(deadline.asText()).plus(BEYOND_DEADLINE);
    return last.isAfter(end) ? last : end;
  }

  private static JsonNode withReport(
      ManagementClient client, String path, JsonNode before, JsonNode ended)
      throws InterruptedException {
    var seen = ended;
    var end = Instant.now().plus(REPORT_PATIENCE);
    while (seen.path("lastDrain").equals(before.path("lastDrain")) && Instant.now().isBefore(end)) {
      Thread.sleep(BETWEEN_LOOKS);
      seen = client.get(path);
    }
    return seen;
  }

  private int tell(Wish wish, JsonNode seen, Terminal terminal) {
    var state = seen.path("state").asText();
    var told = name + " is " + state + ": " + seen.path("reason").path("message").asText();
    boolean done = state.equals(wish.wanted()) && !wish.underWay().test(seen);
    if (output.form() != OutputOption.Form.table) {
      terminal.out().println(output.text(seen));
    } else if (done) {
      terminal.out().println(told);
      if (wish.drains()) {
        DrainText.report(seen.path("lastDrain")).forEach(terminal.out()::println);
      }
    }
    if (!done) {
      throw new CommandFailedException(told);
    }
    return ExitStatus.DONE;
  }
}
