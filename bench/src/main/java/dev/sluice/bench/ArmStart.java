package dev.sluice.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Starts arms.
 *
 * @param cluster what they stand before, and whose folder takes their files
 * @param stub what they stand before instead, as {@code host:port}
 * @param cpu the one that they are pinned to; empty: they run where the system puts them
 * @param jvmOptions for those that are JVMs, in addition to what each has by itself
 */
record ArmStart(
    BenchCluster cluster,
    String stub,
    Programs programs,
    OptionalInt cpu,
    List<String> jvmOptions) {

  private static final String JAVA_OPTS = "JAVA_OPTS";

  ArmStart {
    jvmOptions = List.copyOf(jvmOptions);
  }

  /** As they come. */
  ArmStart(BenchCluster cluster, String stub, Programs programs, OptionalInt cpu) {
    this(cluster, stub, programs, cpu, List.of());
  }

  /** The same, with these options for those that are JVMs. */
  ArmStart with(List<String> options) {
    return new ArmStart(cluster, stub, programs, cpu, options);
  }

  RunningArm start(Place place) throws IOException, InterruptedException {
    var setting = new ArmSetting(cluster, addressFor(place), place.upstream());
    if (!place.arm().isBetween()) {
      return new RunningArm(place.arm(), setting.upstream(), null);
    }
    int port = cluster.armPort(place);
    var output =
        cluster.folder().resolve(place.arm().label() + "-" + place.upstream().name() + ".out");
    var process = OwnedProcess.start(pinned(command(place.arm(), setting, port)), output);
    return RunningArm.awaited(place.arm(), process, port);
  }

  private List<String> command(Arm arm, ArmSetting setting, int port) throws IOException {
    return switch (arm) {
      case RELAY -> relay(setting, port);
      case SLUICE -> sluice(setting, port, false);
      case FILTERED -> sluice(setting, port, true);
      case HAPROXY ->
          List.of(
              programs.haproxy().orElseThrow().toString(),
              "-db",
              "-f",
              setting.haproxy(port).toString());
      case KROXYLICIOUS -> kroxylicious(setting, port);
      case DIRECT, DIRECT2 -> throw new IllegalArgumentException("Expected an arm, found none");
    };
  }

  private String addressFor(Place place) {
    return place.upstream() == Upstream.STUB ? stub : cluster.addressFor(place);
  }

  /** A command on the CPU of arms. */
  List<String> pinned(List<String> command) {
    return cpu.isEmpty() ? command : on(Integer.toString(cpu.getAsInt()), command);
  }

  /** A command that may have the CPU of arms and the one that this JVM is pinned to. */
  List<String> spread(List<String> command) {
    return cpu.isEmpty() ? command : on("0," + cpu.getAsInt(), command);
  }

  private static List<String> on(String cpus, List<String> command) {
    var pinned = new ArrayList<>(List.of("taskset", "-c", cpus));
    pinned.addAll(command);
    return pinned;
  }

  private List<String> relay(ArmSetting setting, int port) {
    String upstream = setting.upstream();
    var command =
        new ArrayList<>(JavaCommand.of(RelayMain.class, jvmOptions.toArray(String[]::new)));
    command.add(Integer.toString(port));
    command.add(upstream.substring(upstream.lastIndexOf(':') + 1));
    return command;
  }

  private List<String> sluice(ArmSetting setting, int port, boolean filtered) throws IOException {
    var command = new ArrayList<String>();
    if (!jvmOptions.isEmpty()) {
      var options = new ArrayList<>(jvmOptions);
      Optional.ofNullable(System.getenv(JAVA_OPTS)).ifPresent(options::addFirst);
      command.addAll(List.of("env", JAVA_OPTS + "=" + String.join(" ", options)));
    }
    command.addAll(
        List.of(
            programs.sluice().toString(),
            "proxy",
            "-c",
            setting.sluice(port, filtered).toString()));
    return command;
  }

  private List<String> kroxylicious(ArmSetting setting, int port) throws IOException {
    var command = new ArrayList<>(List.of(JavaCommand.PROGRAM));
    command.addAll(jvmOptions);
    command.addAll(
        List.of(
            "-cp",
            programs.kroxyliciousClassPath(),
            programs
                .kroxylicious()
                .orElseThrow()
                .toAbsolutePath()
                .resolve("RunKroxylicious.java")
                .toString(),
            setting.kroxylicious(port).toString()));
    return command;
  }
}
