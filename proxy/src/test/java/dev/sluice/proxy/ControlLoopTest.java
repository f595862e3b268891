package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ControlLoopTest {

  @Test
  void a_step_that_fails_does_not_keep_the_next_from_being_done() throws Exception {
    var loop = new ControlLoop(new DefaultThreadFactory("control-under-test"));
    try {
      loop.execute(
          () -> {
            throw new IllegalStateException("a defect");
          });
      loop.execute(
          () -> {
            throw new AssertionError("another");
          });
      assertThat(loop.submit(() -> "done").get(10, TimeUnit.SECONDS)).isEqualTo("done");
    } finally {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
    }
  }
}
