package dev.sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

/** Keeps docs/generated/apis.md true; `-Dgenerate=true` writes it. */
class ApisPageTest {

  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "."), "..", "docs", "generated", "apis.md");

  @Test
  void the_page_of_apis_says_what_the_table_says() throws IOException {
    if (Boolean.getBoolean("generate")) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, page());
    }
    assertThat(PAGE)
        .as("drifted; run the tests of this module with -Dgenerate=true")
        .content()
        .isEqualTo(page());
  }

  private static String page() {
    var page = new StringBuilder();
    page.append("# APIs\n\n");
    page.append("Generated from the table that the proxy goes by. Do not edit.\n\n");
    page.append(
        "*opaque* passes as it came; *skimmed* passes as it came but for a few fields that are looked up in place;\n");
    page.append(
        "*decoded* is read whole and written anew. Where nothing is said of a version it is opaque.\n\n");
    page.append(
        "| key | API | versions | request | response |\n| ---: | --- | --- | --- | --- |\n");
    offered().forEach(key -> page.append(row(key)));
    page.append("\n## Addresses that are left\n\n");
    page.append("These responses carry a host and a port, and are opaque all the same.\n\n");
    ApisTest.LEFT.entrySet().stream()
        .sorted((a, b) -> a.getKey().compareTo(b.getKey()))
        .forEach(
            left ->
                page.append("* ")
                    .append(left.getKey().name)
                    .append(": ")
                    .append(left.getValue())
                    .append(".\n"));
    page.append("\n## Not offered\n\n");
    page.append("Brokers offer these on the same listener, but only brokers use them: ");
    page.append(
        Stream.of(ApiKeys.values())
            .filter(
                key ->
                    key.hasValidVersion()
                        && key.inScope(ListenerType.BROKER)
                        && !Apis.offered(key.id))
            .map(key -> key.name)
            .collect(Collectors.joining(", ")));
    return page.append(".\n").toString();
  }

  private static Stream<ApiKeys> offered() {
    return Stream.of(ApiKeys.values()).filter(key -> Apis.offered(key.id));
  }

  private static String row(ApiKeys key) {
    return "| %s | %s | %s | %s | %s |%n"
        .formatted(
            key.id,
            Apis.name(key.id),
            range(Apis.oldest(key.id), Apis.newest(key.id)),
            treatments(key, Apis::requestTreatment),
            treatments(key, Apis::responseTreatment))
        .replace(System.lineSeparator(), "\n");
  }

  private interface Treatment {
    ApiTreatment of(short key, short version);
  }

  private static String treatments(ApiKeys key, Treatment treatment) {
    var oldest = Apis.oldest(key.id);
    var newest = Apis.newest(key.id);
    var said = new ArrayList<String>();
    for (var from = oldest; from <= newest; ) {
      var which = treatment.of(key.id, from);
      var to = from;
      while (to < newest && treatment.of(key.id, (short) (to + 1)) == which) {
        to++;
      }
      if (which != ApiTreatment.OPAQUE) {
        var name = which.name().toLowerCase(Locale.ROOT);
        said.add(from == oldest && to == newest ? name : name + " " + range(from, to));
      }
      from = (short) (to + 1);
    }
    return said.isEmpty() ? "opaque" : String.join(", ", said);
  }

  private static String range(short from, short to) {
    return from == to ? Short.toString(from) : from + "-" + to;
  }
}
