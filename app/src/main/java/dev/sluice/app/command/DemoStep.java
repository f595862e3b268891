package dev.sluice.app.command;

import dev.sluice.app.run.Playground;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;

/**
 * One step of the story that {@code sluice demo} tells.
 *
 * @param says what happens and what to look at
 * @param deed does it
 */
record DemoStep(String says, Deed deed) {

  /** Whether it came as expected. */
  interface Deed {
    boolean play(DemoStage stage) throws IOException, InterruptedException;
  }

  /** What happens to the proxy, in order. */
  static List<DemoStep> story() {
    return List.of(
        new DemoStep(
            "Everything behind the clients of orders is made anew. They keep their connections.",
            stage -> stage.runs(ExitStatus.DONE, "restart", "orders")),
        new DemoStep(
            "orders gets another configuration, in place: its clients keep their connections.",
            DemoReload::play),
        new DemoStep(
            "payments is drained: what was sent is answered, then nobody is served. orders goes on.",
            stage -> stage.runs(ExitStatus.DONE, "drain", "payments")),
        new DemoStep(
            "Somebody else takes its port: payments fails, and says why. orders goes on.",
            DemoStep::startWithoutPort),
        new DemoStep(
            "The port is free again: a retry is all that it takes.",
            stage -> stage.runs(ExitStatus.DONE, "retry", "payments")),
        new DemoStep("Both serve.", stage -> stage.runs(ExitStatus.DONE, "status")));
  }

  /** What happens to Kafka. */
  static List<DemoStep> storyOfKafka() {
    return List.of(
        new DemoStep(
            "All "
                + Playground.SERVERS
                + " servers are restarted, each only when the others can do without it. Clients go"
                + " on.",
            DemoRoll::play));
  }

  private static boolean startWithoutPort(DemoStage stage)
      throws IOException, InterruptedException {
    try (var taken = new ServerSocket()) {
      taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), stage.port("payments")));
      return stage.runs(ExitStatus.FAILED, "start", "payments");
    }
  }
}
