package dev.sluice.integration;

import static dev.sluice.integration.Clients.done;
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
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.serialization.ByteArraySerializer;

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

  /** What a slow reader asks for, and what there is. */
  private static final int LARGE = 32 << 20;

  private static final int RECORD = 1_000_000;

  /** The last that names topics by name. */
  private static final short FETCH_VERSION = 12;

  /** What a slow reader takes at once, in bytes. */
  private static final int BITE = 64 * 1024;

  private static final int MOST_BITES = 100;
  private static final long BETWEEN_BITES_NANOS = 20_000_000;

  private static final LimitsSpec LIMITS = new LimitsSpec(LARGE + (8 << 20), MOST_CONNECTIONS, 16);

  private final MoodyUpstream upstream = new MoodyUpstream();
  private final RunningProxy proxy;
  private final String largeTopic;
  private final Endpoint largeAt;
  private final EmbeddedCluster kafka;

  /**
   * @param folder for keys
   */
  AbuseStage(EmbeddedCluster kafka, NetworkSpec network, Path folder) throws Exception {
    this.kafka = kafka;
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
    largeTopic = "large-" + UUID.randomUUID();
    largeAt = filledLargeTopic();
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

  Endpoint abused() {
    return bootstrap(ABUSED);
  }

  Endpoint secured() {
    return bootstrap(SECURED);
  }

  Endpoint moody() {
    return bootstrap(MOODY);
  }

  Endpoint refused() {
    return bootstrap(REFUSED);
  }

  private Endpoint bootstrap(String name) {
    return RunningProxy.endpoints(proxy.bootstrapServers(name)).getFirst();
  }

  // ---- large fetches -------------------------------------------------------------------------

  /** Where its leader is, for clients of the abused one. */
  private Endpoint filledLargeTopic() throws Exception {
    var clients = new Clients(kafka.bootstrapServers());
    int leader;
    try (var admin = clients.admin()) {
      done(admin.createTopics(List.of(new NewTopic(largeTopic, 1, (short) 1))).all());
      leader =
          await("whoever is asked knows of the topic")
              .atMost(Clients.PATIENCE)
              .ignoreExceptionsInstanceOf(ExecutionException.class)
              .until(() -> leader(admin), id -> id > 0);
    }
    try (var producer =
        new KafkaProducer<>(
            clients.settings(Map.of()), new ByteArraySerializer(), new ByteArraySerializer())) {
      var sent = new ArrayList<Future<?>>();
      for (int i = 0; i <= LARGE / RECORD; i++) {
        sent.add(producer.send(new ProducerRecord<>(largeTopic, new byte[RECORD])));
      }
      for (var one : sent) {
        one.get(Clients.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
    }
    var gateway = abused();
    return new Endpoint(gateway.host(), gateway.port() + leader);
  }

  private int leader(Admin admin) throws Exception {
    var described = done(admin.describeTopics(List.of(largeTopic)).allTopicNames());
    var partition = Objects.requireNonNull(described.get(largeTopic)).partitions().getFirst();
    return partition.leader() == null ? -1 : partition.leader().id();
  }

  /** Asks for a large answer, takes some of it, and leaves the rest where it is. */
  void readSlowly(Abuser by) throws IOException {
    var socket = by.connect(largeAt, BITE);
    RawClient.write(socket, fetch(), FETCH_VERSION);
    var bytes = new byte[BITE];
    for (int bites = 0; bites < MOST_BITES; bites++) {
      takeBite(socket, bytes);
      LockSupport.parkNanos(BETWEEN_BITES_NANOS);
    }
  }

  private static void takeBite(Socket socket, byte[] bytes) throws IOException {
    int taken = socket.getInputStream().readNBytes(bytes, 0, bytes.length);
    if (taken < bytes.length) {
      throw new IOException("it has ended");
    }
  }

  private FetchRequestData fetch() {
    return new FetchRequestData()
        .setMaxBytes(LARGE)
        .setMinBytes(1)
        .setTopics(
            List.of(
                new FetchTopic()
                    .setTopic(largeTopic)
                    .setPartitions(List.of(new FetchPartition().setPartitionMaxBytes(LARGE)))));
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
        proxy) {
      try (var admin = new Clients(kafka.bootstrapServers()).admin()) {
        done(admin.deleteTopics(List.of(largeTopic)).all());
      } catch (InterruptedException | ExecutionException | TimeoutException e) {
        throw new IllegalStateException("could not remove " + largeTopic, e);
      }
    }
  }
}
