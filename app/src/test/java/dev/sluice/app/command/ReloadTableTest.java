package dev.sluice.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What a person reads of a reload. */
class ReloadTableTest {

  @Test
  void only_what_was_affected_is_a_line_and_failures_say_why() throws IOException {
    assertThat(
            lines(
                """
                {"outcome":"partly","millis":412,"source":"proxy.yaml","virtualClusters":[
                 {"name":"audit","change":"unchanged","why":"It runs as configured."},
                 {"name":"orders","change":"changed","why":"It changes in limits.","outcome":"switched",
                  "asAsked":true,"way":"in-place","message":"-","millis":12},
                 {"name":"payments","change":"changed","why":"It changes in gateways.","outcome":"kept",
                  "asAsked":false,"message":"Port 9192 is taken.","millis":3}]}
                """))
        .isEqualTo(
            """
            VIRTUAL CLUSTER  CHANGE   OUTCOME   WAY       TOOK  WHY
            orders           changed  switched  in-place  12ms  It changes in limits.
            payments         changed  kept      -         3ms   Port 9192 is taken.
            Reload partly: 2 of 3 virtual clusters affected, 412ms, from proxy.yaml.""");
  }

  @Test
  void warnings_come_first() throws IOException {
    assertThat(
            lines(
                """
                {"outcome":"planned","millis":1,"source":"proxy.yaml","virtualClusters":[],
                 "warnings":["It looks like a rename."],
                 "findings":[{"severity":"warning","path":"a.b","line":3,"column":7,"message":"m"}]}
                """))
        .startsWith("proxy.yaml:3:7: warning: a.b: m\nWarning: It looks like a rename.\n");
  }

  @Test
  void a_plan_tells_the_ways_and_a_refusal_its_reason() throws IOException {
    assertThat(
            lines(
                """
                {"outcome":"planned","millis":1,"source":"next.yaml","virtualClusters":[
                 {"name":"orders","change":"changed","why":"It changes in upstream addresses.",
                  "ways":["in-place","drain"]}]}
                """))
        .contains("in-place or drain");
    assertThat(lines("{\"outcome\":\"invalid\",\"detail\":\"Nothing was touched.\"}"))
        .isEqualTo("Nothing was touched.");
  }

  private static String lines(String json) throws IOException {
    return String.join("\n", ReloadTable.lines(new ObjectMapper().readTree(json)));
  }
}
