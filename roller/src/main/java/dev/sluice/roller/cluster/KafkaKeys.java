package dev.sluice.roller.cluster;

import dev.sluice.planner.configuration.KeyKind;
import dev.sluice.planner.configuration.KeyTable;
import dev.sluice.planner.configuration.Scope;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Kafka's own table of its keys. */
public final class KafkaKeys {

  private static final String TABLE = "kafka-4.4.0.tsv";

  private KafkaKeys() {}

  public static KeyTable load() {
    try (InputStream in = KeyTable.class.getResourceAsStream(TABLE)) {
      byte[] bytes = Objects.requireNonNull(in, TABLE).readAllBytes();
      return KeyTable.parse(new String(bytes, StandardCharsets.UTF_8).lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a key can be compared and changed while a server runs; a secret cannot be compared. */
  public static boolean changesWhileRunning(KeyTable table, String key) {
    KeyKind kind = table.kinds().get(key);
    return kind != null && kind.scope() != Scope.READ_ONLY && kind.form() != KeyKind.Form.SECRET;
  }
}
