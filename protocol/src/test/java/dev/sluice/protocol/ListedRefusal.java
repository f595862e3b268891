package dev.sluice.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.types.Struct;

/** A line of refusals.txt: what the design says of an API. */
record ListedRefusal(
    ApiKeys key, short oldest, short newest, RequestTrait trait, String what, String items) {

  static List<ListedRefusal> all() {
    try (var in = ListedRefusal.class.getResourceAsStream("/refusals.txt")) {
      if (in == null) {
        throw new AssertionError("expected a resource refusals.txt, found none");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(ListedRefusal::line)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ListedRefusal line(String line) {
    var cells = Stream.of(line.split("\\|", -1)).map(String::trim).toList();
    var versions = cells.get(1).split("-", -1);
    return new ListedRefusal(
        Stream.of(ApiKeys.values())
            .filter(key -> key.name.equals(cells.get(0)))
            .findFirst()
            .orElseThrow(),
        Short.parseShort(versions[0]),
        Short.parseShort(versions[versions.length - 1]),
        RequestTrait.valueOf(cells.get(2).toUpperCase(Locale.ROOT)),
        cells.get(3),
        cells.get(4));
  }

  boolean covers(ApiKeys asked, short version) {
    return key == asked && version >= oldest && version <= newest;
  }

  boolean answersWithAnError() {
    return what.contains("error");
  }

  short code() {
    return Short.parseShort(what.substring(what.lastIndexOf(' ') + 1));
  }

  /** How many errors the answer to this request must have. */
  int places(Struct request) {
    return Stream.of(items.split("\\+", -1))
        .mapToInt(path -> path.equals("-") ? 1 : count(request, List.of(path.split("\\.", -1))))
        .sum();
  }

  /** How many items there are at the end of a path of arrays. */
  static int count(Struct struct, List<String> path) {
    var items = struct.getArray(path.getFirst());
    if (items == null) {
      return 0;
    }
    return path.size() == 1
        ? items.length
        : Stream.of(items)
            .mapToInt(item -> count((Struct) item, path.subList(1, path.size())))
            .sum();
  }
}
