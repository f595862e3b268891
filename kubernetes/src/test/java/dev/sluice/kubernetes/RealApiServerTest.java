package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A real API server starts whoever else is on this machine. */
@Tag("acceptance")
@ExtendWith(SharedRealCluster.class)
class RealApiServerTest {

  @TempDir private Path folder;

  @Test
  void a_port_that_somebody_took_is_left_to_them() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var attempts = new AtomicInteger();
      var another =
          RealApiServer.start(
              folder,
              () -> {
                List<Integer> ports = new ArrayList<>(RealApiServer.freePorts());
                if (attempts.getAndIncrement() == 0) {
                  ports.set(2, taken.getLocalPort());
                }
                return ports;
              });
      another.close();

      assertThat(attempts).hasValueGreaterThan(1);
    }
  }
}
