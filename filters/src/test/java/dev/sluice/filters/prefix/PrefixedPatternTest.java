package dev.sluice.filters.prefix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Brokers match whole names with RE2/J. */
class PrefixedPatternTest {

  private static final Prefix PREFIX = new Prefix("team-a.");

  private static final List<String> NAMES =
      List.of(
          "a",
          "b",
          "ab",
          "abc",
          "orders",
          "orders-1",
          "^a",
          "]",
          "^",
          "A",
          "payments",
          "a|b",
          "x)");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "orders",
        "orders.*",
        "^orders$",
        "^a|^b$",
        "(^a|b)c?",
        "(?i)a",
        "(?i)^a",
        "(?i:^a)|b",
        "(?P<name>^a)b",
        "\\Aorders",
        "\\^a",
        "[^a]+",
        "[]^]",
        "[^]a]",
        "[[:^alpha:]]",
        "\\Q^\\Ea",
        "a(^b)?",
        "(a|^)b",
        "^^a",
        "((^a))b",
        "a\\|b",
        "x\\)",
        "[)^(]",
        ".*",
        "(?m)^a$",
        "^(?:ab|c)*"
      })
  void it_matches_the_same_of_the_tenants_names_and_nobody_elses(String pattern) {
    var plain = Pattern.compile(pattern);
    var prefixed = Pattern.compile(PrefixedPattern.out(PREFIX, pattern));
    for (var name : NAMES) {
      assertThat(prefixed.matches("team-a." + name))
          .as("%s of %s", prefixed, name)
          .isEqualTo(plain.matches(name));
      assertThat(prefixed.matches(name)).as("%s of %s", prefixed, name).isFalse();
      assertThat(prefixed.matches("team-b." + name)).as("%s of %s", prefixed, name).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x)|(?:.*", "x)|(.*", ")", "(", "a)|.*", "[a", "a\\", "*", "(?=a)b"})
  void what_is_no_expression_by_itself_does_not_become_one(String pattern) {
    assertThatThrownBy(() -> PrefixedPattern.out(PREFIX, pattern))
        .isInstanceOf(PatternSyntaxException.class);
  }

  @Test
  void an_open_quotation_cannot_take_the_bracket_in() {
    assertThatThrownBy(() -> PrefixedPattern.out(PREFIX, "\\Qa"))
        .isInstanceOf(PatternSyntaxException.class);
  }

  @Test
  void a_pattern_has_a_bound() {
    var most = "a".repeat(PrefixedPattern.MAX_LENGTH);
    assertThat(PrefixedPattern.out(PREFIX, most)).endsWith(most + ")");
    assertThatThrownBy(() -> PrefixedPattern.out(PREFIX, most + "a"))
        .isInstanceOf(PatternSyntaxException.class)
        .hasMessageContaining("at most 4096 characters");
  }

  @Test
  void brackets_nest_to_the_bound() {
    int depth = PrefixedPattern.MAX_LENGTH / 2 - 1;
    var nested = "(".repeat(depth) + "a" + ")".repeat(depth);
    try {
      assertThat(PrefixedPattern.out(PREFIX, nested)).contains(nested);
    } catch (PatternSyntaxException e) {
      assertThat(e.getMessage()).as("refused by RE2/J itself").isNotBlank();
    }
  }

  @Test
  void the_tenant_is_told_its_own() {
    assertThat(PrefixedPattern.in(PREFIX, PrefixedPattern.out(PREFIX, "a|b"))).isEqualTo("a|b");
    assertThat(PrefixedPattern.in(PREFIX, "team-b.*")).isNull();
    assertThat(PrefixedPattern.in(PREFIX, null)).isNull();
  }
}
