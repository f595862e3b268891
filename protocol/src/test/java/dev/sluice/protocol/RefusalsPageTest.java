package dev.sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.protocol.Refusal.AnswerError;
import dev.sluice.protocol.Refusal.AnswerNothing;
import dev.sluice.protocol.Refusal.ForwardElseClose;
import dev.sluice.protocol.Refusal.ForwardElseError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Keeps docs/generated/refusals.md true; `-Dgenerate=true` writes it. */
class RefusalsPageTest {

  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "."), "..", "docs", "generated", "refusals.md");

  @Test
  void the_page_of_refusals_says_what_the_table_says() throws IOException {
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
    var page = new StringBuilder("# Refusals\n\n");
    page.append("Generated from the table that the proxy goes by. Do not edit.\n\n");
    page.append("What becomes of a request that was read from a connection that must end. ");
    page.append("*forward* means while there is a broker that can be asked.\n");
    page.append("*pause* says from which version of the response on clients stop sending for as ");
    page.append("long as it tells them to (KIP-219).\n\n");
    page.append("| API | versions | which | what is done | because | pause |\n");
    page.append("| --- | --- | --- | --- | --- | --- |\n");
    var table = new RefusalTable();
    for (var key : ApiKeys.values()) {
      if (Apis.offered(key.id)) {
        var oldest = Apis.oldest(key.id);
        for (var row : table.rows(key)) {
          var newest = (short) Math.min(row.newest(), Apis.newest(key.id));
          page.append(row(key, oldest, newest, row));
          oldest = row.trait() == null ? (short) (newest + 1) : oldest;
        }
      }
    }
    return page.toString();
  }

  private static String row(ApiKeys key, short oldest, short newest, RefusalTable.Row row) {
    return Stream.of(
            key.name,
            oldest == newest ? Short.toString(oldest) : oldest + "-" + newest,
            which(key, row.trait()),
            done(row.refusal()),
            row.refusal().because(),
            pause(key))
        .reduce("|", (line, cell) -> line + " " + cell + " |")
        .concat("\n");
  }

  private static String which(ApiKeys key, @Nullable RequestTrait trait) {
    return switch (trait) {
      case null -> rest(key);
      case PLAIN -> "others";
      case UNANSWERED -> "acks=0";
      case TRANSACTIONAL -> "with a transactional id";
      case ACKNOWLEDGING -> "with acknowledgements";
    };
  }

  private static String rest(ApiKeys key) {
    return switch (key) {
      case PRODUCE, INIT_PRODUCER_ID, SHARE_FETCH -> "others";
      default -> "all";
    };
  }

  private static String done(Refusal refusal) {
    return switch (refusal) {
      case AnswerError(var code, _) -> "answer " + error(code);
      case AnswerNothing _ -> "answer without an error, empty";
      case ForwardElseError(var code, _) -> "forward; else answer " + error(code);
      case ForwardElseClose _ -> "forward; else close";
    };
  }

  private static String error(short code) {
    return code + " " + Errors.forCode(code).name();
  }

  private static String pause(ApiKeys key) {
    var carried = false;
    for (var version = Apis.oldest(key.id); version <= Apis.newest(key.id); version++) {
      if (Throttle.honoured(key.id, version)) {
        return version + "+";
      }
      carried |= Throttle.carried(key.id, version);
    }
    return carried ? "Java 4.4 and later only" : "no";
  }
}
