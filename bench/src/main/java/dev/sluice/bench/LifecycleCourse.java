package dev.sluice.bench;

import dev.sluice.embedded.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a person who runs the proxy waits for. Each round starts proxies anew. */
record LifecycleCourse(Clients clients, ArmStart starter, Programs programs, String stub) {

  private static final int CLUSTERS = 500;
  private static final int PORTS_PER_CLUSTER = 2;
  private static final int CHANGES = 5;
  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e3;

  /** One in a hundred connections has something in flight. */
  private static final int LATE_PART = 100;

  List<Sample> run(BenchPlan plan) throws IOException, InterruptedException {
    var all = new ArrayList<Sample>();
    for (int round = 1; round <= plan.rounds(); round++) {
      var samples = new Samples(round, Arm.SLUICE);
      one(samples, plan.idleConnections());
      many(samples);
      all.addAll(samples.all());
    }
    return all;
  }

  private void one(Samples samples, int connections) throws IOException, InterruptedException {
    int management = FreePorts.one();
    int first = FreePorts.inARow(PORTS_PER_CLUSTER);
    String text = configuration(management, first, 1, 1_000);
    try (var proxy = start(text, management)) {
      samples.add(Metric.START_ONE, proxy.secondsUntilReady());
      samples.add(Metric.STATUS, status(management));
      var arm = new RunningArm(Arm.SLUICE, "127.0.0.1:" + first, null);
      clients.ask(LoadRequest.Verb.OPEN, arm, connections);
      var lingering = new FutureTask<>(() -> linger(arm, connections / LATE_PART));
      Thread.ofPlatform().start(lingering);
      proxy.awaitInFlight(connections / LATE_PART);
      long asked = System.nanoTime();
      proxy.post("/api/v1/virtual-clusters/c0/drain");
      proxy.awaitStopped();
      long ended = System.nanoTime();
      double answered = outcome(lingering);
      samples.add(Metric.DRAIN, (ended - asked) / NANOS);
      samples.add(Metric.DRAIN_BEYOND, (ended - answered) / NANOS * MILLIS);
    }
  }

  private static double outcome(Future<Double> lingering) throws IOException, InterruptedException {
    try {
      return lingering.get();
    } catch (ExecutionException e) {
      throw new IOException("Expected late answers to come before the end of the drain", e);
    }
  }

  /** Returns when the last answer had come. */
  private double linger(RunningArm arm, int count) throws IOException {
    return clients.ask(LoadRequest.Verb.LINGER, arm, count).more().getFirst();
  }

  private void many(Samples samples) throws IOException, InterruptedException {
    int management = FreePorts.one();
    int first = FreePorts.inARow(PORTS_PER_CLUSTER * CLUSTERS);
    try (var proxy = start(configuration(management, first, CLUSTERS, 1_000), management)) {
      samples.add(Metric.START_MANY, proxy.secondsUntilReady());
      var changes = new ArrayList<Double>();
      for (int change = 1; change <= CHANGES; change++) {
        String text = configuration(management, first, CLUSTERS, 1_000 + change);
        long begin = System.nanoTime();
        proxy.reload(text);
        changes.add((System.nanoTime() - begin) / NANOS * MILLIS);
      }
      samples.add(Metric.CHANGE, Interval.of(changes).median());
    }
  }

  private ProxyProcess start(String text, int management) throws IOException, InterruptedException {
    Path file = Files.writeString(starter.cluster().folder().resolve("lifecycle.yaml"), text);
    return ProxyProcess.start(
        starter.pinned(List.of(programs.sluice().toString(), "proxy", "-c", file.toString())),
        file.resolveSibling("lifecycle.out"),
        management);
  }

  /** As a person sees it: the process of the command, begun and ended, wherever it runs. */
  private double status(int management) throws IOException, InterruptedException {
    var command =
        starter.spread(
            List.of(
                programs.sluice().toString(),
                "status",
                "--management",
                "http://127.0.0.1:" + management));
    long begin = System.nanoTime();
    var process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    int status = process.waitFor();
    double seconds = (System.nanoTime() - begin) / NANOS;
    if (status != 0) {
      throw new IOException("Expected %s to end with 0, found %d".formatted(command, status));
    }
    return seconds;
  }

  /**
   * So many clusters before the stub.
   *
   * @param bound of the last one's requests in flight, which is what changes
   */
  private String configuration(int management, int firstPort, int clusters, int bound) {
    return """
        management: { port: %d }
        network: { proxy: { workerThreadCount: 1 } }
        virtualClusters:
        """
            .formatted(management)
        + IntStream.range(0, clusters)
            .mapToObj(
                number ->
                    """
                      - name: c%d
                        limits: { maxConnections: 20000, maxInFlight: %d }
                        targetCluster: { bootstrapServers: "%s" }
                        gateways:
                          - name: local
                            portIdentifiesNode:
                              bootstrapAddress: 127.0.0.1:%d
                              nodeStartPort: %d
                              nodeIdRanges: [ { name: brokers, start: 1, end: 1 } ]
                    """
                        .formatted(
                            number,
                            number == clusters - 1 ? bound : 1_000,
                            stub,
                            firstPort + PORTS_PER_CLUSTER * number,
                            firstPort + PORTS_PER_CLUSTER * number + 1))
            .collect(Collectors.joining());
  }
}
