package dev.sluice.app.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.configuration.RollConfiguration.Owner;
import dev.sluice.app.configuration.RollFile.Outcome;
import dev.sluice.planner.Exemption;
import dev.sluice.planner.Policy;
import dev.sluice.planner.Rule;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RollFileTest {

  private static final String LOCAL =
      """
      platform: { process: { folder: kafka } }
      kafka: { bootstrapServers: "localhost:9092" }
      """;

  private static final String REMOTE =
      """
      platform:
        command: { status: [ssh, "{host}", status], restart: [ssh, "{host}", restart] }
      kafka: { bootstrapServers: "localhost:9092", properties: { retries: 3 } }
      """;

  private static Outcome read(String text) {
    return new RollFile(ConfigurationSchema.loadRoll(), _ -> Optional.empty())
        .read(text, Path.of("/etc/roll"));
  }

  private static RollConfiguration accepted(String text) {
    var outcome = read(text);
    assertThat(outcome.findings()).isEmpty();
    return ((Outcome.Accepted) outcome).configuration();
  }

  private static List<String> findings(String text) {
    var outcome = read(text);
    assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
    return outcome.findings().stream().map(finding -> finding.inFile("f")).toList();
  }

  @Test
  void the_least_that_can_be_said_has_the_planners_own_policy() {
    var configuration = accepted(LOCAL);

    assertThat(configuration.policy()).isEqualTo(Policy.DEFAULT);
    assertThat(configuration.platform())
        .isEqualTo(new Owner.Processes(Path.of("/etc/roll/kafka"), Duration.ofMinutes(10)));
  }

  @Test
  void a_policy_is_read_as_a_whole() {
    var policy =
        accepted(
                LOCAL
                    + """
                    policy:
                      maxParallel: 4
                      steadyHold: 0s
                      exemptions: [ { server: 3, rule: eligible-leader } ]
                      windows: [ { days: [sunday], from: "01:30", for: 4h, zone: Europe/Berlin } ]
                    servers: [ { id: 7, hold: true } ]
                    """)
            .policy();

    assertThat(policy.maxParallel()).isEqualTo(4);
    assertThat(policy.patience().steadyHold()).isZero();
    assertThat(policy.frozen()).containsExactly(7);
    assertThat(policy.exemptions()).containsExactly(new Exemption(3, Rule.ELIGIBLE_LEADER));
    assertThat(policy.windows().getFirst().days()).containsExactly(DayOfWeek.SUNDAY);
  }

  @Test
  void values_of_servers_and_properties_of_clients_are_texts() {
    var configuration =
        accepted(
            REMOTE
                + """
                servers:
                  - { id: 1, roles: [broker], values: { host: kafka-1, port: 22 } }
                """);

    assertThat(configuration.kafka().properties()).containsEntry("retries", "3");
    assertThat(configuration.values().get(1)).containsEntry("port", "22");
  }

  @Test
  void every_error_is_told_with_line_and_column() {
    assertThat(
            findings(
                """
                platform: { process: { folder: x }, command: { status: [a], restart: [b] } }
                kafka: { bootstrapServer: "localhost:9092" }
                policy: { steadyHold: soon, maxParalel: 2 }
                servers: [ { id: 1 }, { id: 1 } ]
                """))
        .anyMatch(each -> each.contains("f:1:11: platform: expected exactly one of process"))
        .anyMatch(each -> each.contains("did you mean 'bootstrapServers'?"))
        .anyMatch(each -> each.startsWith("f:3:23: policy.steadyHold: expected a duration"))
        .anyMatch(each -> each.contains("did you mean 'maxParallel'?"))
        .anyMatch(each -> each.contains("servers[1].id: expected an id that no other server has"));
  }

  @Test
  void commands_need_all_servers_with_their_roles() {
    assertThat(findings(REMOTE)).anyMatch(each -> each.contains("expected a list of all servers"));
    assertThat(findings(REMOTE + "servers: [ { id: 1 } ]\n"))
        .anyMatch(each -> each.contains("servers: expected a list of all servers"));
  }

  @Test
  void each_server_has_a_command_of_its_own() {
    var servers =
        """
        servers:
          - { id: 1, roles: [broker], values: { host: a } }
          - { id: 2, roles: [broker], values: { host: a } }
        """;

    assertThat(findings(REMOTE + servers))
        .anyMatch(each -> each.contains("servers 1 and 2 share the command 'ssh a restart'"));
    assertThat(
            read(
                REMOTE
                    + servers.replace(
                        "id: 2, roles: [broker], values: { host: a }",
                        "id: 2, roles: [broker], values: { host: b }")))
        .isInstanceOf(Outcome.Accepted.class);
  }

  @Test
  void a_window_is_no_longer_than_a_day_and_in_a_zone_that_there_is() {
    assertThat(
            findings(
                LOCAL
                    + """
                    policy:
                      windows:
                        - { from: "01:00", for: 25h }
                        - { from: "01:00", for: 1h, zone: Atlantis }
                    """))
        .anyMatch(each -> each.contains("windows[0].for: expected at most 24h"))
        .anyMatch(each -> each.contains("windows[1].zone: expected a zone"));
  }
}
