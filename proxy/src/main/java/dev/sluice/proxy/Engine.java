package dev.sluice.proxy;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.time.Clock;
import java.util.concurrent.Executor;

/**
 * What all virtual clusters share.
 *
 * @param loops move bytes; never blocked
 * @param closesPortsFirst whether a shutdown closes ports before connections, and not after
 * @param portHolders knows who listens on which port
 * @param tlsTasks does of TLS what takes long: it may block, and begins at once
 * @param sharedPorts that virtual clusters listen on together
 * @param meters what is counted of all together
 * @param lingerers who listens where others may want to
 * @param control the one thread on which every virtual cluster's state changes
 */
record Engine(
    Transport transport,
    EventLoopGroup loops,
    Executor tlsTasks,
    SharedPorts sharedPorts,
    Lingerers lingerers,
    EventExecutor control,
    NetworkSpec network,
    boolean closesPortsFirst,
    PortHolders portHolders,
    MeterRegistry registry,
    ProxyMeters meters,
    Clock clock) {}
