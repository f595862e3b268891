package dev.sluice.proxy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** What the proxy and Netty log from information on, while this is open. */
final class Log extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private static final List<String> LOGGERS = List.of("dev.sluice", "io.netty");

  private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();

  Log() {
    start();
    for (var name : LOGGERS) {
      logger(name).setLevel(Level.INFO);
      logger(name).setAdditive(false);
      logger(name).addAppender(this);
    }
  }

  @Override
  protected void append(ILoggingEvent event) {
    event.getFormattedMessage();
    events.add(event);
  }

  /** Warnings and errors that are about one connection. */
  List<String> aboutConnections() {
    return atLeast(Level.WARN).stream()
        .filter(line -> line.contains("Closed a connection"))
        .toList();
  }

  /** How many connections such warnings are about, those included of which they say the number. */
  long connectionsTold() {
    return events.stream()
        .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
        .filter(event -> event.getFormattedMessage().startsWith("Closed "))
        .mapToLong(
            event -> leftOut(event) + (event.getFormattedMessage().startsWith("Closed a ") ? 1 : 0))
        .sum();
  }

  private static long leftOut(ILoggingEvent event) {
    var pairs = event.getKeyValuePairs();
    return pairs == null
        ? 0
        : pairs.stream()
            .filter(pair -> pair.key.equals("leftOut"))
            .mapToLong(pair -> (Long) pair.value)
            .sum();
  }

  List<String> errors() {
    return atLeast(Level.ERROR);
  }

  /** What Netty warns of: exceptions in listeners and tasks. */
  List<String> swallowed() {
    return events.stream()
        .filter(event -> event.getLoggerName().startsWith("io.netty"))
        .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
        .map(Log::line)
        .toList();
  }

  List<String> atLeast(Level level) {
    return events.stream()
        .filter(event -> event.getLevel().isGreaterOrEqual(level))
        .map(Log::line)
        .toList();
  }

  private static String line(ILoggingEvent event) {
    var thrown = event.getThrowableProxy();
    return event.getLevel()
        + " "
        + event.getKeyValuePairs()
        + " "
        + event.getFormattedMessage()
        + (thrown == null ? "" : " " + ThrowableProxyUtil.asString(thrown));
  }

  private static Logger logger(String name) {
    return (Logger) LoggerFactory.getLogger(name);
  }

  @Override
  public void close() {
    LOGGERS.forEach(name -> logger(name).detachAppender(this));
    stop();
  }
}
