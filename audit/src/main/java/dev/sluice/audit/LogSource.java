package dev.sluice.audit;

import dev.sluice.audit.ledger.LogLine;
import java.util.function.Consumer;

/** Where the log of the Java clients in this JVM can be read: the logging back end is not ours. */
@FunctionalInterface
public interface LogSource {

  /**
   * From now on hands every line of {@code org.apache.kafka}, from INFO up, to the listener, on any
   * thread, and to nobody else.
   *
   * @return what ends it and puts everything back
   */
  Tap listen(Consumer<LogLine> listener);

  /** An open tap. */
  @FunctionalInterface
  interface Tap extends AutoCloseable {

    @Override
    void close();
  }
}
