package dev.sluice.audit;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which clients take part. A reader brings the producer that it reads from.
 *
 * @param names of the clients, in the order in which they are told
 */
public record Selection(Set<String> names) {

  /** Every Java client. */
  public static final Selection JAVA = new Selection(JavaClient.names());

  /** Every client in another language. */
  public static final Selection PROGRAMS = new Selection(ChildProgram.names());

  public static final Selection ALL =
      new Selection(Stream.of(JAVA, PROGRAMS).map(Selection::names).flatMap(Set::stream).toList());

  private Selection(Collection<String> names) {
    this(new LinkedHashSet<>(names));
  }

  /** Reads {@code all}, {@code java}, {@code others} and names of clients, parted by commas. */
  public static Selection parse(String text) {
    var names = new LinkedHashSet<String>();
    for (String word : text.split(",", -1)) {
      names.addAll(named(word.strip()));
    }
    return new Selection(names);
  }

  private static Collection<String> named(String word) {
    return switch (word) {
      case "all" -> ALL.names();
      case "java" -> JAVA.names();
      case "others" -> PROGRAMS.names();
      default -> {
        if (!ALL.names().contains(word)) {
          throw new IllegalArgumentException(
              "Expected all, java, others or some of %s, found '%s'"
                  .formatted(String.join(", ", ALL.names()), word));
        }
        yield List.of(word);
      }
    };
  }

  List<JavaClient> java() {
    return Arrays.stream(JavaClient.values()).filter(this::takes).toList();
  }

  List<ChildProgram> programs() {
    return Arrays.stream(ChildProgram.values())
        .filter(program -> names.contains(program.clientName()))
        .toList();
  }

  private boolean takes(JavaClient client) {
    return names.contains(client.clientName())
        || Arrays.stream(JavaClient.values())
            .filter(reader -> names.contains(reader.clientName()))
            .anyMatch(reader -> reader.readsFrom().filter(client::equals).isPresent());
  }
}
