package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.embedded.FreePorts;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code sluice up} as a person runs it. */
class UpIT {

  private static final Pattern MANAGEMENT = Pattern.compile("management +(http://\\S+)");
  private static final int PORTS = 104;

  @Test
  void it_serves_clients_until_ctrl_c_which_ends_all_of_it() throws Exception {
    var port = FreePorts.inARow(PORTS);
    try (var up = SluiceProcess.start("up", "--base-port", "" + port, "--management-port", "0")) {
      up.awaitOutput("Ctrl-C ends all of it.");
      var management = management(up);

      assertThat(sluice("status", "--management", management))
          .contains("orders    serving", "payments  serving");
      produceAndConsume(port);

      var children = up.children();
      assertThat(children).isNotEmpty();
      up.signal("INT");
      assertThat(up.exitStatus()).as(up.said()).isZero();
      await("no process is left")
          .atMost(Clients.PATIENCE)
          .until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    }
  }

  @Test
  void ports_in_use_are_named_before_anything_is_started() throws Exception {
    var port = FreePorts.inARow(PORTS);
    try (var _ = new ServerSocket(port + 2);
        var up = SluiceProcess.start("up", "--base-port", "" + port, "--management-port", "0")) {
      assertThat(up.exitStatus()).isEqualTo(1);
      assertThat(up.said())
          .contains((port + 2) + " (virtual cluster orders, node 2)")
          .doesNotContain("Starting", "\tat ");
    }
  }

  private static void produceAndConsume(int port) throws Exception {
    var kcat = Child.find("kcat");
    assumeTrue(kcat.isPresent(), "kcat is not installed");
    var program = kcat.orElseThrow().toString();
    var produced =
        Child.run(List.of(program, "-b", "localhost:" + port, "-P", "-t", "t"), "hello\n");
    assertThat(produced.exitStatus()).as(produced.output()).isZero();
    var consumed =
        Child.run(List.of(program, "-b", "localhost:" + (port + 100), "-C", "-t", "t", "-e"), "");
    assertThat(consumed.output()).contains("hello");
  }

  static String management(SluiceProcess up) {
    var matcher = MANAGEMENT.matcher(up.said());
    assertThat(matcher.find()).as(up.said()).isTrue();
    return matcher.group(1);
  }

  private static String sluice(String... arguments) throws IOException, InterruptedException {
    try (var process = SluiceProcess.start(arguments)) {
      assertThat(process.exitStatus()).as(process.said()).isZero();
      return process.out();
    }
  }
}
