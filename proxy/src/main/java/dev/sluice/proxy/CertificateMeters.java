package dev.sluice.proxy;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Until when the certificates are good that clients of one virtual cluster are shown. Belongs to
 * the control thread; read from elsewhere.
 */
final class CertificateMeters {

  private final MeterRegistry registry;
  private final String virtualCluster;
  private final Map<String, Shown> byGateway = new ConcurrentHashMap<>();

  /** A series whose value changes with the certificate. */
  private static final class Shown {
    private volatile Instant notAfter;
    private final Gauge gauge;

    private Shown(Instant notAfter, MeterRegistry registry, String... labels) {
      this.notAfter = notAfter;
      this.gauge =
          ProxyMetrics.CERTIFICATE_END
              .newGauge(this, shown -> shown.notAfter.getEpochSecond(), labels)
              .register(registry);
    }
  }

  CertificateMeters(MeterRegistry registry, String virtualCluster) {
    this.registry = registry;
    this.virtualCluster = virtualCluster;
  }

  /**
   * From now on these are shown, and no others.
   *
   * @param ends by the names of gateways
   */
  void show(Map<String, Instant> ends) {
    for (var gateway : List.copyOf(byGateway.keySet())) {
      var gone = ends.containsKey(gateway) ? null : byGateway.remove(gateway);
      if (gone != null) {
        registry.remove(gone.gauge);
      }
    }
    ends.forEach(
        (gateway, end) ->
            byGateway.computeIfAbsent(
                        gateway, name -> new Shown(end, registry, virtualCluster, name))
                    .notAfter =
                end);
  }
}
