package dev.sluice.app.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.app.GeneratedPage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keeps docs/generated/configuration.md true; {@code -Dgenerate=true} writes it. */
class ConfigurationPageTest {

  @Test
  void the_page_says_what_can_be_configured() throws IOException {
    GeneratedPage.of("configuration.md").agreesWith(ConfigurationPage.text());
  }

  @Test
  void no_key_of_a_schema_is_missing_on_the_page() throws IOException {
    var page = ConfigurationPage.text();

    assertThat(keys(ConfigurationSchema.load()))
        .allSatisfy(key -> assertThat(page).containsPattern("`([^`]+\\.)?" + key + "`"));
    assertThat(keys(ConfigurationSchema.loadRoll()))
        .allSatisfy(key -> assertThat(page).containsPattern("`([^`]+\\.)?" + key + "`"));
  }

  private static List<String> keys(ConfigurationSchema schema) throws IOException {
    var keys = new ArrayList<String>();
    for (JsonNode properties :
        new ObjectMapper().readTree(schema.text()).findValues("properties")) {
      properties.fieldNames().forEachRemaining(keys::add);
    }
    return keys;
  }
}
