package dev.sluice.proxy;

import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread on which the states of all virtual clusters change. It outlives a step that fails:
 * Netty's own executor for such tasks ends with the first exception, and with it every virtual
 * cluster could never be drained, reloaded or shut down again.
 */
final class ControlLoop extends SingleThreadEventExecutor {

  private static final Logger LOG = LoggerFactory.getLogger(ControlLoop.class);

  ControlLoop(ThreadFactory threads) {
    super(null, threads, true);
  }

  @Override
  protected void run() {
    do {
      var task = takeTask();
      if (task != null) {
        obey(task);
        updateLastExecutionTime();
      }
    } while (!confirmShutdown());
  }

  private static void obey(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.atError()
          .setCause(e)
          .log("A step of the control thread failed, which is a defect; it goes on with the next");
    }
  }
}
