package dev.sluice.audit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.sluice.audit.ledger.LogLine;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Taps Logback, where a program writes its log with it; this class is loaded only where it is used.
 * While a tap is open, lines of Kafka's clients go to the listeners of all open taps and nowhere
 * else.
 */
public final class LogbackSource implements LogSource {

  private static final String LOGGER = "org.apache.kafka";

  @Override
  public Tap listen(Consumer<LogLine> listener) {
    var logger = (Logger) LoggerFactory.getLogger(LOGGER);
    synchronized (logger) {
      var taps = (Taps) logger.getAppender(Taps.NAME);
      if (taps == null) {
        taps = new Taps(logger.getLevel());
        taps.open(logger);
      }
      Taps opened = taps;
      opened.listeners.add(listener);
      return () -> close(logger, opened, listener);
    }
  }

  private static void close(Logger logger, Taps taps, Consumer<LogLine> listener) {
    synchronized (logger) {
      if (taps.listeners.remove(listener) && taps.listeners.isEmpty()) {
        taps.close(logger);
      }
    }
  }

  private static final class Taps extends AppenderBase<ILoggingEvent> {

    static final String NAME = "sluice-audit";

    private final List<Consumer<LogLine>> listeners = new CopyOnWriteArrayList<>();
    private final @Nullable Level before;

    Taps(@Nullable Level before) {
      this.before = before;
      setName(NAME);
    }

    void open(Logger logger) {
      start();
      logger.addAppender(this);
      logger.setLevel(Level.INFO);
      logger.setAdditive(false);
    }

    void close(Logger logger) {
      logger.detachAppender(this);
      logger.setLevel(before);
      logger.setAdditive(true);
    }

    @Override
    protected void append(ILoggingEvent event) {
      String name = event.getLoggerName();
      var line =
          new LogLine(
              level(event.getLevel()),
              name.substring(name.lastIndexOf('.') + 1),
              event.getThreadName(),
              event.getFormattedMessage());
      listeners.forEach(listener -> listener.accept(line));
    }

    private static LogLine.Level level(Level level) {
      if (level.isGreaterOrEqual(Level.ERROR)) {
        return LogLine.Level.ERROR;
      }
      return level.isGreaterOrEqual(Level.WARN) ? LogLine.Level.WARN : LogLine.Level.INFO;
    }
  }
}
