package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.protocol.Endpoint;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** Runs {@link ProxyInChild} with little of something, and ends it. */
final class ChildProxy implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Queue<String> told = new ConcurrentLinkedQueue<>();
  private final Endpoint bootstrap;
  private final Process process;

  private ChildProxy(Endpoint bootstrap, Process process) {
    this.bootstrap = bootstrap;
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param shell what the shell does before, such as {@code ulimit -n 100}
   */
  static ChildProxy before(StubBroker broker, String shell, String... jvm) throws IOException {
    int port = FreePorts.inARow(ProxyUnderTest.NODES + 1);
    var child =
        new ChildProxy(new Endpoint("127.0.0.1", port), run(broker, port, shell, jvm).start());
    Thread.ofVirtual().start(() -> child.process.inputReader().lines().forEach(child.told::add));
    child.awaitLine("Serving");
    return child;
  }

  /** The same; all that it logs and prints goes to this file. */
  static ChildProxy loggingTo(File file, StubBroker broker) throws IOException {
    int port = FreePorts.inARow(ProxyUnderTest.NODES + 1);
    var command = run(broker, port, ":").redirectOutput(Redirect.to(file));
    var child = new ChildProxy(new Endpoint("127.0.0.1", port), command.start());
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              try (var client = child.connect()) {
                client.write(Frames.heartbeat(1));
                assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
              }
            });
    return child;
  }

  private static ProcessBuilder run(StubBroker broker, int port, String shell, String... jvm) {
    var command = new ArrayList<>(List.of("sh", "-c", shell + " && exec \"$@\"", "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(jvm));
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            System.getProperty("java.class.path"),
            ProxyInChild.class.getName(),
            String.valueOf(broker.endpoint().port()),
            String.valueOf(port)));
    return new ProcessBuilder(command).redirectErrorStream(true);
  }

  Endpoint bootstrap() {
    return bootstrap;
  }

  Peer connect() throws IOException {
    return Peer.connect(bootstrap);
  }

  void awaitLine(String text) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(List.copyOf(told)).anyMatch(line -> line.contains(text)));
  }

  /** The most memory that it has had so far, in MiB, as the kernel counts it. */
  long mostMemory() throws IOException {
    var status = Path.of("/proc", String.valueOf(process.pid()), "status");
    var line =
        Files.readAllLines(status).stream().filter(one -> one.startsWith("VmHWM")).findFirst();
    return Long.parseLong(line.orElseThrow().replaceAll("\\D", "")) >> 10;
  }

  /** It goes by itself, in order. */
  @Override
  public void close() throws IOException {
    try {
      process.getOutputStream().close();
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("%s", told).isTrue();
      assertThat(process.exitValue()).as("%s", told).isZero();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      process.destroyForcibly();
    }
  }
}
