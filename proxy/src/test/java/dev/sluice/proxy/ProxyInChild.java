package dev.sluice.proxy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.protocol.Endpoint;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * A proxy in a process of its own. Its arguments are the broker's port and the first of its own; it
 * prints every step of its virtual cluster, and goes when its standard input ends.
 */
final class ProxyInChild {

  private static final LimitsSpec ROOM = new LimitsSpec(100 << 20, 20_000, 1_024);

  private ProxyInChild() {}

  static void main(String[] arguments) throws IOException {
    ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.WARN);
    var broker = new Endpoint("127.0.0.1", Integer.parseInt(arguments[0]));
    var cluster =
        ProxyUnderTest.cluster(
            "one",
            List.of(broker),
            Integer.parseInt(arguments[1]),
            ROOM,
            DrainSpec.DEFAULT_TIMEOUT);
    var network = Wishes.idle(Duration.ofHours(1), Duration.ofHours(1)).network();
    var proxy =
        Proxy.start(
            new ProxySpec(network, FailurePolicy.DEFAULT, List.of(cluster)),
            new SimpleMeterRegistry(),
            Clock.systemUTC(),
            (_, _, step) -> System.out.println(step));
    System.in.transferTo(OutputStream.nullOutputStream());
    proxy.stop("The test is over.").toCompletableFuture().join();
  }
}
