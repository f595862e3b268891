package dev.sluice.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.audit.ledger.LogLine;
import java.util.Optional;

/**
 * What is said between the audit and a client program: one JSON object a line, commands on its
 * standard input, events on its standard output. The end of its input ends a program, so that none
 * outlives the audit. {@code audit/clients/README.md} tells it to who writes one.
 */
final class ChildProtocol {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int LONGEST_SHOWN = 200;

  private ChildProtocol() {}

  /**
   * What a program is to do.
   *
   * @param role {@code producer} or {@code reader}
   * @param bootstrap where to begin
   * @param topic what to write or read
   * @param client its client id, and the group of a reader
   * @param producer the name in the stamp of each record
   * @param rate records per second, to begin with
   * @param size bytes of each value
   * @param security empty: it speaks plain text
   */
  record Start(
      String role,
      String bootstrap,
      String topic,
      String client,
      String producer,
      int rate,
      int size,
      Optional<ClientSecurity> security) {

    String line() {
      var node =
          JSON.createObjectNode()
              .put("command", "start")
              .put("role", role)
              .put("bootstrap", bootstrap)
              .put("topic", topic)
              .put("client", client)
              .put("producer", producer)
              .put("rate", rate)
              .put("size", size);
      security.ifPresent(
          proof ->
              node.putObject("security")
                  .put("ca", proof.authorities().toString())
                  .put("certificate", proof.certificate().toString())
                  .put("key", proof.key().toString())
                  .put("mechanism", proof.mechanism())
                  .put("user", proof.user())
                  .put("password", proof.password()));
      return node.toString();
    }

    /** Without what the security has of secrets. */
    @Override
    public String toString() {
      return "Start[" + role + ", " + client + ", " + topic + "]";
    }
  }

  /** A producer is to keep to this rate from now on. */
  static String rate(int recordsPerSecond) {
    return JSON.createObjectNode().put("command", "rate").put("rate", recordsPerSecond).toString();
  }

  static String stop() {
    return JSON.createObjectNode().put("command", "stop").toString();
  }

  /** Reads one line of a program; throws where the program does not keep to the protocol. */
  static ChildEvent event(String line) {
    JsonNode node = tree(line);
    String event = node.path("event").asText();
    return switch (event) {
      case "sent" -> new ChildEvent.Sent(number(node, "seq"));
      case "acked" -> new ChildEvent.Acknowledged(number(node, "seq"));
      case "seen" ->
          new ChildEvent.Seen(
              Math.toIntExact(number(node, "partition")), node.path("value").asText());
      case "exception" -> new ChildEvent.Excepted(node.path("text").asText());
      case "log" ->
          new ChildEvent.Logged(level(node.path("level").asText()), node.path("text").asText());
      case "rebalance" -> new ChildEvent.Rebalanced();
      case "done" -> new ChildEvent.Done();
      default -> throw unexpected(line);
    };
  }

  private static JsonNode tree(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(unexpected(line).getMessage(), e);
    }
  }

  private static long number(JsonNode node, String field) {
    if (!node.path(field).isIntegralNumber()) {
      throw unexpected(node.toString());
    }
    return node.path(field).asLong();
  }

  private static LogLine.Level level(String text) {
    return switch (text) {
      case "ERROR" -> LogLine.Level.ERROR;
      case "WARN" -> LogLine.Level.WARN;
      default -> LogLine.Level.INFO;
    };
  }

  private static IllegalArgumentException unexpected(String line) {
    return new IllegalArgumentException(
        "Expected an event of audit/clients/README.md, found: "
            + line.substring(0, Math.min(line.length(), LONGEST_SHOWN)));
  }
}
