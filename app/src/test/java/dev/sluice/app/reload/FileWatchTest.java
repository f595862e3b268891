package dev.sluice.app.reload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ways in which people and machines change files. Each look is made by the test. */
class FileWatchTest {

  private final AtomicInteger told = new AtomicInteger();

  @TempDir private Path directory;
  private Path file;
  private FileWatch watch;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(directory.resolve("proxy.yaml"), "one");
    watch = new FileWatch(() -> List.of(file), new TreeMap<>(), told::incrementAndGet);
  }

  @Test
  void what_was_there_at_first_is_no_change() {
    look(3);

    assertThat(told).hasValue(0);
  }

  @Test
  void what_changed_between_reading_it_and_the_first_look_is_told() throws IOException {
    var known = FileWatch.look(List.of(file));
    Files.writeString(file, "two");
    watch = new FileWatch(() -> List.of(file), known, told::incrementAndGet);
    look(3);

    assertThat(told).hasValue(1);
  }

  @Test
  void a_write_in_place_is_told_once() throws IOException {
    Files.writeString(file, "two");
    look(5);

    assertThat(told).hasValue(1);
  }

  @Test
  void an_atomic_rename_is_told() throws IOException {
    var next = Files.writeString(directory.resolve("next"), "two");
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    look(2);

    assertThat(told).hasValue(1);
  }

  @Test
  void what_is_written_piece_by_piece_is_told_when_it_rests() throws IOException {
    for (int piece = 0; piece < 5; piece++) {
      Files.writeString(file, "more", StandardOpenOption.APPEND);
      look(1);
      assertThat(told).hasValue(0);
    }
    look(1);

    assertThat(told).hasValue(1);
  }

  @Test
  void a_content_that_comes_and_goes_is_no_change() throws IOException {
    Files.writeString(file, "two");
    look(1);
    Files.writeString(file, "one");
    look(3);

    assertThat(told).hasValue(0);
  }

  @Test
  void a_touch_is_no_change() throws IOException {
    Files.writeString(file, "one");
    look(3);

    assertThat(told).hasValue(0);
  }

  /** As Kubernetes mounts a ConfigMap: file -> ..data/file, ..data -> a folder per version. */
  @Test
  void a_swapped_link_of_a_config_map_is_told() throws IOException {
    var data = directory.resolve("..data");
    Files.createSymbolicLink(data, version("one"));
    var mounted = directory.resolve("mounted.yaml");
    Files.createSymbolicLink(mounted, Path.of("..data", "proxy.yaml"));
    watch = new FileWatch(() -> List.of(mounted), new TreeMap<>(), told::incrementAndGet);

    var swap = directory.resolve("..data_tmp");
    Files.createSymbolicLink(swap, version("two"));
    Files.move(swap, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    look(2);

    assertThat(told).hasValue(1);
  }

  @Test
  void a_file_that_goes_and_comes_back_changed_is_told() throws IOException {
    Files.delete(file);
    look(2);
    Files.writeString(file, "two");
    look(2);

    assertThat(told).hasValue(2);
  }

  @Test
  void whoever_fails_is_told_of_the_next_change_all_the_same() throws IOException {
    watch =
        new FileWatch(
            () -> List.of(file),
            new TreeMap<>(),
            () -> {
              told.incrementAndGet();
              throw new IllegalStateException("a failure that this test provokes");
            });
    Files.writeString(file, "two");
    look(2);
    Files.writeString(file, "three");
    look(2);

    assertThat(told).hasValue(2);
  }

  private Path version(String content) throws IOException {
    var folder = Files.createDirectory(directory.resolve("..version_" + content));
    Files.writeString(folder.resolve("proxy.yaml"), content);
    return folder.getFileName();
  }

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      watch.look();
    }
  }
}
