package dev.sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.protocol.Refusal.AnswerError;
import dev.sluice.protocol.Refusal.AnswerNothing;
import dev.sluice.protocol.Refusal.ForwardElseClose;
import dev.sluice.protocol.Refusal.ForwardElseError;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

class RefusalsTest {

  private static final List<ListedRefusal> LISTED = ListedRefusal.all();

  private interface Case {
    void check(ListedRefusal listed, short version);
  }

  @Test
  void every_api_and_version_is_refused_as_listed() {
    everyCase(
        (listed, version) ->
            assertThat(said(Refusals.of(listed.key().id, version, listed.trait())))
                .as("%s v%s %s", listed.key(), version, listed.trait())
                .isEqualTo(listed.what()));
  }

  @Test
  void every_api_and_version_is_listed_once_and_no_other_is() {
    for (var key : ApiKeys.values()) {
      for (var version = (short) 0; version < 32; version++) {
        var listed = new ArrayList<RequestTrait>();
        for (var line : LISTED) {
          if (line.covers(key, version)) {
            listed.add(line.trait());
          }
        }
        if (Apis.known(key.id, version)) {
          assertThat(listed).as(key + " v" + version).doesNotHaveDuplicates();
          assertThat(listed).as(key + " v" + version).contains(RequestTrait.PLAIN);
        } else {
          assertThat(listed).as(key + " v" + version).isEmpty();
        }
      }
    }
  }

  @Test
  void a_trait_that_is_not_listed_for_an_api_makes_no_difference() {
    everyCase(
        (listed, version) -> {
          for (var trait : RequestTrait.values()) {
            if (LISTED.stream()
                .noneMatch(l -> l.covers(listed.key(), version) && l.trait() == trait)) {
              assertThat(Refusals.of(listed.key().id, version, trait))
                  .isEqualTo(Refusals.of(listed.key().id, version, RequestTrait.PLAIN));
            }
          }
        });
  }

  @Test
  void every_refusal_says_why() {
    everyCase(
        (listed, version) ->
            assertThat(Refusals.of(listed.key().id, version, listed.trait()).because())
                .isNotBlank());
  }

  @Test
  void what_is_not_known_is_forwarded_or_closed() {
    assertThat(said(Refusals.of((short) 4, (short) 0, RequestTrait.PLAIN)))
        .isEqualTo("forward, else close");
    assertThat(said(Refusals.of(ApiKeys.PRODUCE.id, (short) 99, RequestTrait.PLAIN)))
        .isEqualTo("forward, else close");
    assertThat(said(Refusals.of((short) -1, (short) -1, RequestTrait.PLAIN)))
        .isEqualTo("forward, else close");
  }

  @Test
  void no_refusal_is_one_that_a_client_takes_for_a_failure_or_for_possibly_done() {
    everyCase(
        (listed, version) -> {
          for (var trait : RequestTrait.values()) {
            var code = code(Refusals.of(listed.key().id, version, trait));
            assertThat(code).isNotIn((short) 8, (short) -1);
            if (listed.key() == ApiKeys.PRODUCE) {
              assertThat(code).isNotIn((short) 13, (short) 7);
            }
          }
        });
  }

  private static String said(Refusal refusal) {
    return switch (refusal) {
      case AnswerError(var code, _) -> "error " + code;
      case AnswerNothing _ -> "nothing";
      case ForwardElseError(var code, _) -> "forward, else error " + code;
      case ForwardElseClose _ -> "forward, else close";
    };
  }

  private static short code(Refusal refusal) {
    return switch (refusal) {
      case AnswerError(var code, _) -> code;
      case ForwardElseError(var code, _) -> code;
      case AnswerNothing _, ForwardElseClose _ -> 0;
    };
  }

  private static void everyCase(Case check) {
    var keys = Set.copyOf(LISTED.stream().map(ListedRefusal::key).toList());
    assertThat(keys).hasSizeGreaterThan(70);
    for (var line : LISTED) {
      for (var version = line.oldest(); version <= line.newest(); version++) {
        check.check(line, version);
      }
    }
  }
}
