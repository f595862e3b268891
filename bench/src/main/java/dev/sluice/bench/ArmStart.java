package dev.sluice.bench;

import dev.sluice.embedded.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Starts arms.
 *
 * @param cluster what they stand before, and whose folder takes their files
 * @param programs what they run
 * @param cpu the one that they are pinned to; empty: they run where the system puts them
 */
record ArmStart(BenchCluster cluster, Programs programs, OptionalInt cpu) {

  RunningArm start(Arm arm, int port) throws IOException, InterruptedException {
    List<String> command =
        switch (arm) {
          case DIRECT -> List.of();
          case RELAY -> relay(port);
          case SLUICE -> sluice(port);
          case HAPROXY -> haproxy(port);
          case KROXYLICIOUS -> kroxylicious(port);
        };
    if (command.isEmpty()) {
      return new RunningArm(arm, cluster.bootstrapServers(), null);
    }
    var process = OwnedProcess.start(pinned(command), file(arm.label() + ".out"));
    return RunningArm.awaited(arm, process, port);
  }

  private List<String> pinned(List<String> command) {
    if (cpu.isEmpty()) {
      return command;
    }
    var pinned = new ArrayList<>(List.of("taskset", "-c", Integer.toString(cpu.getAsInt())));
    pinned.addAll(command);
    return pinned;
  }

  private List<String> relay(int port) {
    String upstream = cluster.addressFor(Arm.RELAY);
    var command = new ArrayList<>(JavaCommand.of(RelayMain.class));
    command.add(Integer.toString(port));
    command.add(upstream.substring(upstream.lastIndexOf(':') + 1));
    return command;
  }

  /** As users run it: the distribution, one worker thread, everything else as it comes. */
  private List<String> sluice(int port) throws IOException {
    String configuration =
        """
        management: { port: %d }
        network: { proxy: { workerThreadCount: 1 } }
        virtualClusters:
          - name: bench
            targetCluster: { bootstrapServers: "%s" }
            gateways:
              - name: local
                portIdentifiesNode:
                  bootstrapAddress: 127.0.0.1:%d
                  nodeStartPort: %d
                  nodeIdRanges: [ { name: brokers, start: %d, end: %d } ]
        """
            .formatted(
                FreePorts.one(),
                cluster.addressFor(Arm.SLUICE),
                port,
                FreePorts.one(),
                cluster.serverId(),
                cluster.serverId());
    Path file = Files.writeString(file("sluice.yaml"), configuration);
    return List.of(programs.sluice().toString(), "proxy", "-c", file.toString());
  }

  private List<String> haproxy(int port) throws IOException {
    String configuration =
        """
        global
          nbthread 1
          maxconn 1000
        defaults
          mode tcp
          timeout connect 10s
          timeout client 10m
          timeout server 10m
        listen kafka
          bind 127.0.0.1:%d
          server broker %s
        """
            .formatted(port, cluster.addressFor(Arm.HAPROXY));
    Path file = Files.writeString(file("haproxy.cfg"), configuration);
    return List.of(programs.haproxy().orElseThrow().toString(), "-db", "-f", file.toString());
  }

  /** As its guide has it, with no filter; one worker thread is not a setting that it offers. */
  private List<String> kroxylicious(int port) throws IOException {
    String configuration =
        """
        virtualClusters:
          - name: bench
            targetCluster: { bootstrapServers: "%s" }
            gateways:
              - name: local
                portIdentifiesNode:
                  bootstrapAddress: 127.0.0.1:%d
                  nodeStartPort: %d
                  nodeIdRanges: [ { name: brokers, start: %d, end: %d } ]
        """
            .formatted(
                cluster.addressFor(Arm.KROXYLICIOUS),
                port,
                FreePorts.one(),
                cluster.serverId(),
                cluster.serverId());
    Path file = Files.writeString(file("kroxylicious.yaml"), configuration);
    return List.of(
        JavaCommand.PROGRAM,
        "-cp",
        programs.kroxyliciousClassPath(),
        programs
            .kroxylicious()
            .orElseThrow()
            .toAbsolutePath()
            .resolve("RunKroxylicious.java")
            .toString(),
        file.toString());
  }

  private Path file(String name) {
    return cluster.folder().resolve(name);
  }
}
