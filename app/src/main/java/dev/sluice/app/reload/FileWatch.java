package dev.sluice.app.reload;

import dev.sluice.proxy.tls.NamedFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Collection;
import java.util.HexFormat;
import java.util.TreeSet;
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

  private String told = "";
  private String seen = "";

  /**
   * Looks for the first time at once, on the calling thread: what is there now is no change.
   *
   * @param files asked before every look
   * @param changed told on a thread of this watch, which looks again only after it has come back
   */
  public FileWatch(Supplier<? extends Collection<Path>> files, Runnable changed) {
    this.files = files;
    this.changed = changed;
    this.told = content();
    this.seen = told;
    this.looker = Thread.ofVirtual().name("sluice-file-watch").unstarted(this::lookOnAndOn);
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
    var now = content();
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

  /** A digest over all of them, in an order of their own. */
  private String content() {
    var digest = sha256();
    for (var file : new TreeSet<>(files.get())) {
      digest.update(file.toString().getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
      digest.update(NamedFile.digestOf(file).getBytes(StandardCharsets.US_ASCII));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  public void close() {
    looker.interrupt();
  }
}
