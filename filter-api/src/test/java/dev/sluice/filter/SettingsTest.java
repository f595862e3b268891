package dev.sluice.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsTest {

  private static final Setting<String> NAME =
      Setting.text("name", "Whom to greet.").checked(name -> !name.isBlank(), "a name");
  private static final Setting<Duration> PATIENCE =
      Setting.duration("patience", "How long to wait.").orElse(Duration.ofSeconds(1));
  private static final List<Setting<?>> KNOWN = List.of(NAME, PATIENCE);

  @Test
  void what_is_set_is_found() {
    var settings = Settings.of(KNOWN, Map.of("name", "Ada", "patience", Duration.ofMinutes(1)));
    assertThat(settings.get(NAME)).isEqualTo("Ada");
    assertThat(settings.get(PATIENCE)).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void what_is_not_set_is_the_fallback() {
    assertThat(Settings.of(KNOWN, Map.of("name", "Ada")).get(PATIENCE))
        .isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void what_is_required_must_be_set() {
    assertThatThrownBy(() -> Settings.of(KNOWN, Map.of()))
        .hasMessage("expected the key 'name', which is missing");
  }

  @Test
  void what_is_unknown_is_refused() {
    assertThatThrownBy(() -> Settings.of(KNOWN, Map.of("name", "Ada", "nmae", "Bob")))
        .hasMessage("expected one of [name, patience], found nmae");
  }

  @Test
  void a_value_that_is_objected_to_is_refused() {
    assertThatThrownBy(() -> Settings.of(KNOWN, Map.of("name", " ")))
        .hasMessage("expected 'name' to be a name, found  ");
  }

  @Test
  void a_value_of_another_type_is_refused() {
    assertThat(PATIENCE.objection("1s")).contains("a duration such as 10s");
  }

  @Test
  void equal_settings_are_equal_and_tell_no_value() {
    var settings = Settings.of(KNOWN, Map.of("name", "Ada"));
    assertThat(settings).isEqualTo(Settings.of(KNOWN, Map.of("name", "Ada")));
    assertThat(settings).isNotEqualTo(Settings.of(KNOWN, Map.of("name", "Bob")));
    assertThat(settings.toString()).doesNotContain("Ada");
    assertThat(settings.digest())
        .isEqualTo(Settings.of(KNOWN, Map.of("name", "Ada")).digest())
        .isNotEqualTo(Settings.of(KNOWN, Map.of("name", "Bob")).digest());
  }
}
