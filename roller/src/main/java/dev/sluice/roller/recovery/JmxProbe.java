package dev.sluice.roller.recovery;

import dev.sluice.planner.reading.RecoveryReading;
import dev.sluice.roller.RecoveryProbe;
import dev.sluice.roller.ServerSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Reads a server's own metrics over JMX. Its protocol has no time-out of its own: a server that is
 * silent keeps one thread, and is not asked again before that thread has its answer.
 */
public final class JmxProbe implements RecoveryProbe {

  private static final String BROKER_STATE = "kafka.server:type=KafkaServer,name=BrokerState";
  private static final String LOGS = "kafka.log:type=LogManager,name=remainingLogsToRecover,*";
  private static final String SEGMENTS =
      "kafka.log:type=LogManager,name=remainingSegmentsToRecover,*";

  private final Map<Integer, FutureTask<RecoveryReading>> asked = new ConcurrentHashMap<>();
  private final Where where;
  private final Duration limit;

  /** Where a server's JMX is. */
  @FunctionalInterface
  public interface Where {
    /** Its address, such as {@code service:jmx:rmi:///jndi/rmi://kafka-1:9999/jmxrmi}. */
    JMXServiceURL of(ServerSpec server) throws IOException;
  }

  public JmxProbe(Where where, Duration limit) {
    this.where = where;
    this.limit = limit;
  }

  @Override
  public RecoveryReading look(ServerSpec server) throws IOException, InterruptedException {
    FutureTask<RecoveryReading> task = new FutureTask<>(() -> askOnce(server));
    if (asked.putIfAbsent(server.id(), task) != null) {
      throw new IOException("JMX has not yet answered what it was asked before");
    }
    Thread.ofPlatform().daemon().name("jmx-probe-" + server.id()).start(task);
    try {
      return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException("JMX did not answer within " + limit, e);
    } catch (ExecutionException e) {
      throw new IOException("JMX: " + e.getCause(), e);
    }
  }

  /** Who has the answer may ask again: the question is over before its answer is told. */
  private RecoveryReading askOnce(ServerSpec server) throws IOException, JMException {
    try {
      return ask(server);
    } finally {
      asked.remove(server.id());
    }
  }

  /** Where JMX is, the person says who rolls; only Kafka's own servers are asked. */
  @SuppressWarnings("BanJNDI")
  private RecoveryReading ask(ServerSpec server) throws IOException, JMException {
    try (JMXConnector connector = JMXConnectorFactory.connect(where.of(server))) {
      MBeanServerConnection beans = connector.getMBeanServerConnection();
      try {
        int state = number(beans, new ObjectName(BROKER_STATE));
        return BrokerStates.reading(state, sum(beans, LOGS), sum(beans, SEGMENTS));
      } catch (InstanceNotFoundException e) {
        if (!server.broker()) {
          return RecoveryReading.NOT_RECOVERING; // it answers, and holds no logs but the metadata
        }
        throw e;
      }
    }
  }

  private static int sum(MBeanServerConnection beans, String pattern)
      throws IOException, JMException {
    int sum = 0;
    for (ObjectName name : beans.queryNames(new ObjectName(pattern), null)) {
      sum += number(beans, name);
    }
    return sum;
  }

  private static int number(MBeanServerConnection beans, ObjectName name)
      throws IOException, JMException {
    return ((Number) beans.getAttribute(name, "Value")).intValue();
  }
}
