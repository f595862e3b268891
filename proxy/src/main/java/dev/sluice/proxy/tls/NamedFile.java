package dev.sluice.proxy.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A file that a configuration names.
 *
 * @param path absolute, or relative to the working directory
 * @param digest of what was in it when the configuration was read; {@link #UNREADABLE} if nothing
 *     could be
 */
public record NamedFile(Path path, String digest) {

  /** Of larger files only so many bytes are looked at. */
  public static final int MAX_BYTES = 16 * 1024 * 1024;

  /** Stands for the content of a file that is not there, or cannot be read. */
  public static final String UNREADABLE = "unreadable";

  /** As it is now. Blocks. */
  public static NamedFile now(Path path) {
    return new NamedFile(path, digestOf(path));
  }

  /** SHA-256 of the content, in hexadecimal digits; links are followed. Blocks. */
  public static String digestOf(Path path) {
    try (var in = Files.newInputStream(path)) {
      return digestOf(in.readNBytes(MAX_BYTES));
    } catch (IOException _) {
      return UNREADABLE;
    }
  }

  static String digestOf(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Whether it could be read. */
  public boolean isReadable() {
    return !digest.equals(UNREADABLE);
  }
}
