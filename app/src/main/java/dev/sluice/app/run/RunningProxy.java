package dev.sluice.app.run;

import dev.sluice.app.configuration.Configuration;
import dev.sluice.app.management.Escalation;
import dev.sluice.app.management.LifecycleMeters;
import dev.sluice.app.management.ManagementDoor;
import dev.sluice.app.management.ManagementServer;
import dev.sluice.app.reload.FileWatch;
import dev.sluice.app.reload.ReloadFiles;
import dev.sluice.app.reload.ReloadMeters;
import dev.sluice.app.reload.Reloader;
import dev.sluice.proxy.Ended;
import dev.sluice.proxy.Metric;
import dev.sluice.proxy.Metric.Label;
import dev.sluice.proxy.Proxy;
import dev.sluice.proxy.ProxyListener;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmInfoMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A proxy with its management API, metrics and escalations. */
public final class RunningProxy implements AutoCloseable {

  /** Beyond the shutdown time-out, for event loops and sockets to end. */
  private static final Duration SHUTDOWN_MARGIN = Duration.ofSeconds(10);

  private static final Metric BUILD =
      Metric.gauge(
          "sluice.build.info",
          "1.",
          "Which version runs where.",
          Label.open("version", "of Sluice"));

  private static final Metric CERTIFICATE_END =
      Metric.gauge(
              "sluice.management.certificate.expiration.timestamp",
              "Until when the certificate is good that callers of the management API are shown, in"
                  + " seconds since 1970; only where it speaks TLS.",
              "Before it passes: `SluiceManagementCertificateExpires` fires a week earlier.")
          .in("seconds");

  /** All that are built here. */
  public static final List<Metric> METRICS = List.of(BUILD, CERTIFICATE_END);

  private final Configuration configuration;
  private final Proxy proxy;
  private final PrometheusMeterRegistry registry;
  private final ManagementServer management;
  private final JvmGcMetrics garbage;
  private final Optional<Escalation> escalation;
  private final Reloader reloader;
  private final List<FileWatch> watches = new ArrayList<>();

  private RunningProxy(Configuration configuration, ReloadFiles files, ManagementDoor door) {
    this.configuration = configuration;
    this.registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    this.garbage = new JvmGcMetrics();
    bindJvm();
    var clock = Clock.systemUTC();
    var retries = configuration.proxy().onFailure().retry().isPresent();
    this.escalation =
        configuration.escalation().map(spec -> new Escalation(spec, retries, registry));
    escalation.ifPresent(Escalation::start);
    var meters = new LifecycleMeters(registry);
    var listeners = new ArrayList<ProxyListener>(List.of(meters));
    escalation.ifPresent(listeners::add);
    this.proxy = Proxy.start(configuration.proxy(), registry, clock, new ProxyListeners(listeners));
    meters.show(proxy, clock);
    this.reloader = new Reloader(proxy, files, configuration, clock, door);
    reloader.listen(new ReloadMeters(registry));
    if (door.notAfter().isPresent()) {
      CERTIFICATE_END
          .newGauge(door, now -> now.notAfter().map(Instant::getEpochSecond).orElse(0L))
          .strongReference(true)
          .register(registry);
    }
    this.management =
        ManagementServer.start(
            door,
            configuration.proxy().network().shutdownTimeout(),
            proxy,
            reloader,
            registry::scrape);
    files.path().ifPresent(file -> watches.add(watch(file, files, reloader)));
    watches.add(watchNamed(reloader));
    watches.forEach(FileWatch::start);
  }

  /** Which files are named changes with the configuration: that alone is no change of a file. */
  private static FileWatch watchNamed(Reloader reloader) {
    return new FileWatch(
        reloader::namedFiles,
        Collections.emptySortedMap(),
        () -> {
          if (reloader.watches() && reloader.isOutdated()) {
            reloader.reloadAgain("a change of a file that the configuration names");
          }
        });
  }

  private static FileWatch watch(Path file, ReloadFiles files, Reloader reloader) {
    return new FileWatch(
        () -> List.of(file),
        files.seen(),
        () -> {
          if (reloader.watches()) {
            reloader.reloadFile("a change of the file");
          }
        });
  }

  /**
   * Starts everything and comes back; what becomes of the virtual clusters is seen in their lives.
   *
   * @param files what is read when the configuration is reloaded
   * @throws PortInUseException if the port of the management API is; nothing was started then
   * @throws dev.sluice.app.management.ManagementKeysException if the management API cannot speak
   *     TLS with what it is to; nothing was started then
   */
  public static RunningProxy start(Configuration configuration, ReloadFiles files) {
    var management = configuration.management();
    PortInUseException.check(
        List.of(
            new PortInUseException.Wanted(
                management.bindAddress(), management.port(), "the management API")));
    return new RunningProxy(configuration, files, ManagementDoor.of(management));
  }

  private void bindJvm() {
    var version = RunningProxy.class.getPackage().getImplementationVersion();
    BUILD.newGauge(this, _ -> 1, Objects.requireNonNullElse(version, "unknown")).register(registry);
    new JvmInfoMetrics().bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    garbage.bindTo(registry);
  }

  public Proxy proxy() {
    return proxy;
  }

  /** The port that the management API listens on. */
  public int managementPort() {
    return management.port();
  }

  /**
   * From now on the first signal shuts the proxy down gracefully, and the second ends at once.
   * SIGHUP reloads the configuration, if it came from a file.
   */
  public void obeySignals() {
    Signals.onFirst(name -> proxy.stop("the process received " + name));
    if (reloader.path().isPresent()) {
      Signals.onHangUp(() -> reloader.reloadFile("SIGHUP"));
    }
  }

  /**
   * Waits until the proxy has ended, asked to or by policy.
   *
   * @return how; empty if it was asked to shut down and has not within its time-out
   */
  public Optional<Ended> awaitEnd() throws InterruptedException {
    var ended = proxy.ended().toCompletableFuture();
    var limit = configuration.proxy().network().shutdownTimeout().plus(SHUTDOWN_MARGIN);
    while (true) {
      var stopping = proxy.isStopping();
      try {
        return Optional.of(ended.get(limit.toMillis(), TimeUnit.MILLISECONDS));
      } catch (TimeoutException _) {
        if (stopping) {
          return Optional.empty();
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    }
  }

  /** Ends the rest, once the proxy has ended. The management API answers until here. */
  @Override
  public void close() {
    watches.forEach(FileWatch::close);
    escalation.ifPresent(Escalation::close);
    management.close();
    garbage.close();
    registry.close();
  }
}
