package dev.sluice.proxy;

import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.protocol.Endpoint;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.util.List;

/**
 * A proxy in a process of its own, of which the system allows little. Its arguments are the
 * broker's port and the first of its own; it says {@code serving} on standard output, and goes when
 * its standard input ends.
 */
final class FewDescriptors {

  private FewDescriptors() {}

  static void main(String[] arguments) throws IOException {
    var broker = new Endpoint("127.0.0.1", Integer.parseInt(arguments[0]));
    var cluster = ProxyUnderTest.cluster("one", broker, Integer.parseInt(arguments[1]));
    var proxy =
        Proxy.start(
            new ProxySpec(NetworkSpec.DEFAULT, FailurePolicy.DEFAULT, List.of(cluster)),
            new SimpleMeterRegistry(),
            Clock.systemUTC(),
            (_, _, step) -> System.out.println(step));
    System.in.transferTo(OutputStream.nullOutputStream());
    proxy.stop("The test is over.").toCompletableFuture().join();
  }
}
