package dev.sluice.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A certificate authority for demos and tests, whose certificates are made when they are wanted and
 * are no good after {@value #DAYS} days. Stands on the JDK's {@code keytool}.
 */
public final class Authority {

  private static final int DAYS = 2;
  private static final long LIMIT_SECONDS = 60;
  private static final String ROOT = "root";

  /** It keeps nobody out, and is of the length that keytool wants. */
  static final String PASSWORD = "not-secret";

  private final Path store;

  private Authority(Path store) {
    this.store = store;
  }

  /**
   * A new one. Blocks for about a second.
   *
   * @param folder there, where it keeps what it makes
   * @param name unlike that of others
   */
  public static Authority create(Path folder, String name) {
    Authority made = new Authority(folder.resolve(name + "-authority.p12"));
    made.generate(ROOT, "CN=" + name, "EC", List.of("-ext", "bc:c"));
    return made;
  }

  /**
   * A certificate with a new key. Blocks for about a second.
   *
   * @param name of whom it is for, also its common name
   * @param alternatives such as {@code dns:localhost} or {@code ip:127.0.0.1}; may be none
   */
  public Issued issue(String name, String... alternatives) {
    return issueBy("EC", name, alternatives);
  }

  /** The same with a key of this algorithm, {@code EC} or {@code RSA}. */
  public Issued issueBy(String algorithm, String name, String... alternatives) {
    List<String> more = new ArrayList<>(List.of("-signer", ROOT));
    if (alternatives.length > 0) {
      more.addAll(List.of("-ext", "san=" + String.join(",", alternatives)));
    }
    generate(name, "CN=" + name, algorithm, more);
    return Issued.from(store, name);
  }

  /** Its own certificate, which others are to trust. */
  public Issued root() {
    return Issued.from(store, ROOT);
  }

  private void generate(String alias, String subject, String algorithm, List<String> more) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                alias,
                "-dname",
                subject,
                "-keyalg",
                algorithm,
                "-validity",
                Integer.toString(DAYS),
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD));
    command.addAll(more);
    try {
      Path output = Files.createTempFile(store.toAbsolutePath().getParent(), "keytool", ".out");
      Process keytool =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      boolean ended = keytool.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
      if (!ended) {
        keytool.destroyForcibly();
      }
      if (!ended || keytool.exitValue() != 0) {
        throw new IllegalStateException(
            "Expected keytool to make a key, it said: " + Files.readString(output));
      }
      Files.delete(output);
    } catch (IOException e) {
      throw new UncheckedIOException("Expected to run the keytool of this JDK", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while keytool made a key", e);
    }
  }
}
