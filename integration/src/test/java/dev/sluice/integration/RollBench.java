package dev.sluice.integration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.embedded.ClusterPlan;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.embedded.ServerFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** A real cluster and the commands that roll it, in words of the tests. */
final class RollBench implements AutoCloseable {

  /** Patience of a small cluster on a machine that may be full. */
  static final String POLICY =
      """
      policy:
        steadyHold: 2s
        actionGrace: 15s
        returnBudget: 90s
        changeSettles: 1s
        quiet: 30s
        pause: 500ms
      """;

  private static final String WITHOUT_NEWS = "";

  /**
   * Controllers let a broker register anew once the session of its last process is over: of Kafka's
   * own 9 s a roll of a small cluster consists. Shorter than this, a full machine looks like a
   * broker that died.
   */
  private static final String SESSION_MILLIS = "6000";

  private final EmbeddedCluster kafka;
  private final Path folder;
  private final Path file;

  private RollBench(EmbeddedCluster kafka, Path folder, Path file) {
    this.kafka = kafka;
    this.folder = folder;
    this.file = file;
  }

  static RollBench start(ClusterPlan plan, Path folder) throws Exception {
    var kafka = EmbeddedCluster.start(quick(plan));
    var bench = new RollBench(kafka, folder, folder.resolve("roll.yaml"));
    bench.configure(POLICY);
    return bench;
  }

  /** Whose brokers are registered anew as soon as may be. */
  static ClusterPlan quick(ClusterPlan plan) {
    return plan.withProperty("broker.session.timeout.ms", SESSION_MILLIS);
  }

  EmbeddedCluster kafka() {
    return kafka;
  }

  /** Writes the configuration, with these lines at its end. */
  void configure(String more) throws IOException {
    configure("platform: { process: { folder: '%s' } }".formatted(kafka.folder()), more);
  }

  /** Writes the configuration, with servers that somebody else owns. */
  void configure(String platform, String more) throws IOException {
    Files.writeString(
        file,
        """
        %s
        kafka: { bootstrapServers: "%s", bootstrapControllers: "%s" }
        stateFolder: state
        %s"""
            .formatted(
                platform, kafka.bootstrapServers(), kafka.controllerBootstrapServers(), more));
  }

  /** Begins {@code sluice roll run}, with a result in JSON. */
  SluiceProcess run(String... more) throws IOException {
    var arguments = new ArrayList<>(List.of("roll", "run", "-c", file.toString(), "-o", "json"));
    arguments.addAll(List.of(more));
    return SluiceProcess.start(arguments.toArray(String[]::new));
  }

  JsonNode plan(String... more) throws IOException, InterruptedException {
    var arguments = new ArrayList<>(List.of("roll", "plan", "-c", file.toString(), "-o", "json"));
    arguments.addAll(List.of(more));
    return new ObjectMapper().readTree(told(arguments));
  }

  /** What {@code sluice roll status} tells by the journal. */
  String status(String... more) throws IOException, InterruptedException {
    var arguments = new ArrayList<>(List.of("roll", "status", "-c", file.toString()));
    arguments.addAll(List.of(more));
    return told(arguments);
  }

  /** What a command printed that did what it was told to. */
  static String told(List<String> arguments) throws IOException, InterruptedException {
    try (var process = SluiceProcess.start(arguments.toArray(String[]::new))) {
      if (process.exitStatus() != 0) {
        throw new AssertionError(process.said());
      }
      return process.out();
    }
  }

  /** The servers that a report says were acted upon, batch by batch. */
  static List<List<Integer>> batches(JsonNode result) {
    var batches = new ArrayList<List<Integer>>();
    for (var batch : result.path("report").path("batches")) {
      var servers = new ArrayList<Integer>();
      batch.path("servers").forEach(server -> servers.add(server.path("server").asInt()));
      batches.add(servers);
    }
    return batches;
  }

  static JsonNode result(SluiceProcess process) throws IOException {
    return new ObjectMapper().readTree(process.out());
  }

  /** How often each server was started. */
  Map<Integer, Integer> starts() {
    var starts = new TreeMap<Integer, Integer>();
    kafka.facts().forEach(facts -> starts.put(facts.id(), facts.starts()));
    return starts;
  }

  List<Integer> down() {
    return kafka.facts().stream().filter(facts -> !facts.alive()).map(ServerFacts::id).toList();
  }

  int activeController() throws Exception {
    try (var admin =
        Admin.create(
            Map.of(
                AdminClientConfig.BOOTSTRAP_CONTROLLERS_CONFIG,
                kafka.controllerBootstrapServers()))) {
      return admin
          .describeMetadataQuorum()
          .quorumInfo()
          .get(Clients.PATIENCE.toSeconds(), TimeUnit.SECONDS)
          .leaderId();
    }
  }

  /** What the roller's journal has. */
  String journal() throws IOException {
    var file = folder.resolve("state").resolve(kafka.clusterId()).resolve("journal.jsonl");
    return Files.exists(file) ? Files.readString(file) : WITHOUT_NEWS;
  }

  @Override
  public void close() {
    kafka.close();
  }
}
