package dev.sluice.proxy;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.time.Clock;

/** What virtual clusters share, without any. */
final class EngineUnderTest {

  private EngineUnderTest() {}

  static Engine of(Transport transport, EventLoopGroup loops, MeterRegistry registry) {
    return new Engine(
        transport,
        loops,
        Runnable::run,
        new SharedPorts(ImmediateEventExecutor.INSTANCE),
        new Lingerers(ImmediateEventExecutor.INSTANCE),
        ImmediateEventExecutor.INSTANCE,
        NetworkSpec.DEFAULT,
        false,
        new PortHolders(),
        registry,
        new ProxyMeters(registry, NetworkSpec.DEFAULT),
        Clock.systemUTC());
  }
}
