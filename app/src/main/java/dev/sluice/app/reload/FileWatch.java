package dev.sluice.app.reload;

import dev.sluice.proxy.tls.NamedFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at files again and again, and tells when the content of one has changed: by an atomic
 * rename, in place, or since a symbolic link on its way leads elsewhere. A content is told once it
 * has been seen twice, so that a file that is still being written is not read.
 */
public final class FileWatch implements AutoCloseable {

  /** Between two looks; a change is told after the second of them. */
  static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);

  private final Supplier<? extends Collection<Path>> files;
  private final Runnable changed;
  private final Thread looker;

  private SortedMap<Path, String> told;
  private SortedMap<Path, String> seen;

  /**
   * Looks for the first time at once, on the calling thread: what is there now is no change.
   *
   * @param files asked before every look
   * @param known what files were when they were read: what has become of them since is a change
   * @param changed told on a thread of this watch, which looks again only after it has come back
   */
  public FileWatch(
      Supplier<? extends Collection<Path>> files, SortedMap<Path, String> known, Runnable changed) {
    this.files = files;
    this.changed = changed;
    this.seen = look(files.get());
    this.told = new TreeMap<>(seen);
    told.putAll(known);
    this.looker = Thread.ofVirtual().name("sluice-file-watch").unstarted(this::lookOnAndOn);
  }

  /** What files are now: a digest of the content of each. */
  public static SortedMap<Path, String> look(Collection<Path> files) {
    var found = new TreeMap<Path, String>();
    files.forEach(file -> found.put(file, NamedFile.digestOf(file)));
    return found;
  }

  /** Begins to look. */
  public void start() {
    looker.start();
  }

  private void lookOnAndOn() {
    try {
      while (true) {
        Thread.sleep(BETWEEN_LOOKS);
        look();
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /** One look. */
  void look() {
    var now = look(files.get());
    boolean settled = now.equals(seen);
    seen = now;
    if (settled && !now.equals(told)) {
      told = now;
      try {
        changed.run();
      } catch (RuntimeException e) {
        LOG.atError().setCause(e).log("What follows from a changed file failed");
      }
    }
  }

  @Override
  public void close() {
    looker.interrupt();
  }
}
