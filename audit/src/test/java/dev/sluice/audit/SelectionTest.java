package dev.sluice.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SelectionTest {

  @Test
  void a_reader_brings_its_producer() {
    assertThat(Selection.parse("java-streams").java())
        .containsExactly(JavaClient.IDEMPOTENT, JavaClient.STREAMS);
  }

  @Test
  void groups_and_names_may_be_mixed() {
    var selection = Selection.parse("java, kafkajs");

    assertThat(selection.java()).containsExactly(JavaClient.values());
    assertThat(selection.programs()).containsExactly(ChildProgram.KAFKAJS);
    assertThat(Selection.parse("java,others")).isEqualTo(Selection.ALL);
  }

  @Test
  void a_client_that_is_none_is_told_with_those_that_are() {
    assertThatThrownBy(() -> Selection.parse("java-plane"))
        .hasMessageContaining("java-plain")
        .hasMessageContaining("found 'java-plane'");
  }
}
