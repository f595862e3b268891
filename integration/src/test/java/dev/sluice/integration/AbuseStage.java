package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.embedded.Authority;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.embedded.FreePorts;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.LimitsSpec;
import dev.sluice.proxy.NetworkSpec;
import dev.sluice.proxy.VirtualClusterSpec;
import dev.sluice.proxy.tls.Choice;
import dev.sluice.proxy.tls.KeySpec;
import dev.sluice.proxy.tls.NamedFile;
import dev.sluice.proxy.tls.Secret;
import dev.sluice.proxy.tls.TlsSpec;
import dev.sluice.proxy.tls.TrustSpec;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One proxy with a virtual cluster whose clients are to notice nothing, and others that are abused:
 * one in front of the same Kafka cluster, one of these that speaks TLS, one in front of what is no
 * broker, and one whose broker refuses.
 */
final class AbuseStage implements AutoCloseable {

  static final String WELL = "well";
  static final int MOST_CONNECTIONS = 100;

  private static final Duration SOON = Duration.ofSeconds(5);

  /** So that those who only wait for something meet it while they are looked at. */
  static final NetworkSpec IMPATIENT =
      new NetworkSpec(
          NetworkSpec.DEFAULT_WORKER_THREADS,
          NetworkSpec.DEFAULT_SHUTDOWN_TIMEOUT,
          NetworkSpec.DEFAULT_IDLE_TIMEOUT,
          SOON,
          SOON,
          SOON,
          SOON,
          NetworkSpec.DEFAULT_REPEATED_LOG_INTERVAL);

  private static final String ABUSED = "abused";
  private static final String SECURED = "secured";
  private static final String MOODY = "moody";
  private static final String REFUSED = "refused";
  private static final String PASSWORD = "not-secret";

  private static final LimitsSpec LIMITS =
      new LimitsSpec(LargeTopic.LARGE + (8 << 20), MOST_CONNECTIONS, 16);

  private final MoodyUpstream upstream = new MoodyUpstream();
  private final RunningProxy proxy;
  private final LargeTopic large;

  /**
   * @param folder for keys
   */
  AbuseStage(EmbeddedCluster kafka, NetworkSpec network, Path folder) throws Exception {
    proxy =
        RunningProxy.start(
            List.of(
                RunningProxy.spec(WELL, kafka),
                RunningProxy.spec(ABUSED, kafka).withLimits(LIMITS),
                showing(RunningProxy.spec(SECURED, kafka).withLimits(LIMITS), folder),
                at(upstream.endpoint(), RunningProxy.spec(MOODY, kafka)),
                at(new Endpoint("127.0.0.1", FreePorts.one()), RunningProxy.spec(REFUSED, kafka))),
            FailurePolicy.DEFAULT,
            network);
    proxy.awaitServing();
    large = new LargeTopic(kafka);
  }

  private static VirtualClusterSpec showing(VirtualClusterSpec spec, Path folder) {
    var issued = Authority.create(folder, "abuse").issue("gateway", "ip:127.0.0.1");
    var pair =
        new KeySpec.Pair(
            NamedFile.now(issued.certificates(folder.resolve("gateway.crt"))),
            NamedFile.now(issued.privateKey(folder.resolve("gateway.key"), PASSWORD)),
            Optional.of(new Secret.Given(PASSWORD)));
    return SecureProxy.showing(
        spec, new TlsSpec(Optional.of(pair), new TrustSpec.Platform(), Choice.USUAL, Choice.USUAL));
  }

  private static VirtualClusterSpec at(Endpoint broker, VirtualClusterSpec spec) {
    return spec.withUpstream(List.of(broker), Optional.empty()).withLimits(LIMITS);
  }

  RunningProxy proxy() {
    return proxy;
  }

  MoodyUpstream upstream() {
    return upstream;
  }

  // ---- where to be bad -----------------------------------------------------------------------

  Targets targets() {
    return new Targets(
        bootstrap(ABUSED),
        bootstrap(SECURED),
        bootstrap(MOODY),
        bootstrap(REFUSED),
        new Endpoint(bootstrap(ABUSED).host(), bootstrap(ABUSED).port() + large.leader()),
        large.name());
  }

  private Endpoint bootstrap(String name) {
    return RunningProxy.endpoints(proxy.bootstrapServers(name)).getFirst();
  }

  // ---- what came of it -----------------------------------------------------------------------

  /** Connections of clients that have ended so far, by virtual cluster and cause. */
  Map<String, Long> ended() {
    var ended = new TreeMap<String, Long>();
    for (Counter counter : proxy.registry().find("sluice.disconnects").counters()) {
      var id = counter.getId();
      if (counter.count() > 0) {
        ended.merge(
            id.getTag("virtual_cluster") + " " + id.getTag("cause"),
            (long) counter.count(),
            Long::sum);
      }
    }
    return ended;
  }

  /** That there is nobody any more at those that were abused. */
  void awaitLeft() {
    await()
        .atMost(Clients.PATIENCE)
        .untilAsserted(
            () ->
                assertThat(proxy.proxy().virtualClusters())
                    .filteredOn(view -> !view.spec().name().equals(WELL))
                    .extracting(view -> view.spec().name() + " " + view.connections())
                    .as("connections")
                    .allMatch(left -> left.endsWith(" 0")));
  }

  @Override
  public void close() throws IOException {
    try (upstream;
        proxy;
        large) {}
  }
}
