package dev.sluice.app.run;

import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SIGINT, SIGTERM and SIGHUP: the first asks, the second ends at once; SIGHUP may be taken for
 * something else. By {@code sun.misc.Signal}, which every JDK has in {@code jdk.unsupported} and
 * which cannot be compiled against without a warning; a shutdown hook would neither see a second
 * signal nor leave the exit status alone.
 */
final class Signals {

  private static final int STATUS_OF_SIGNAL = 128;
  private static final String HANG_UP = "HUP";
  private static final Map<String, Integer> NUMBERS = Map.of(HANG_UP, 1, "INT", 2, "TERM", 15);
  private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

  private Signals() {}

  /**
   * @param first called once, with the name of the signal, on a thread of its own
   */
  static void onFirst(Consumer<String> first) {
    var asked = new AtomicBoolean();
    NUMBERS.forEach((name, number) -> obey(name, () -> received(name, number, asked, first)));
  }

  /** From now on SIGHUP does this, every time, and ends nothing. */
  static void onHangUp(Runnable asked) {
    obey(HANG_UP, asked);
  }

  private static void obey(String name, Runnable received) {
    try {
      handle(name, received);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      LOG.atWarn().addKeyValue("signal", name).setCause(e).log("It ends the process at once");
    }
  }

  private static void received(
      String name, int number, AtomicBoolean asked, Consumer<String> first) {
    if (asked.compareAndSet(false, true)) {
      first.accept("SIG" + name);
    } else {
      Runtime.getRuntime().halt(STATUS_OF_SIGNAL + number);
    }
  }

  private static void handle(String name, Runnable received) throws ReflectiveOperationException {
    var signal = Class.forName("sun.misc.Signal");
    var handler = Class.forName("sun.misc.SignalHandler");
    var run =
        MethodHandles.lookup()
            .findVirtual(Runnable.class, "run", MethodType.methodType(void.class))
            .bindTo(received);
    var adapted = MethodHandles.dropArguments(run, 0, signal);
    signal
        .getMethod("handle", signal, handler)
        .invoke(
            null,
            signal.getConstructor(String.class).newInstance(name),
            MethodHandleProxies.asInterfaceInstance(handler, adapted));
  }
}
