package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.embedded.ClusterPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that was killed replays its logs while the roll begins. */
@Tag("acceptance")
class RollRecoveryIT {

  private static final Duration ROLL_LIMIT = Duration.ofMinutes(8);
  private static final Duration REPLAY_AT_LEAST = Duration.ofSeconds(10);
  private static final String TOPIC = "much";
  private static final int KILLED = 1;
  private static final int BROKERS = 3;
  private static final int PARTITIONS = 24;

  /**
   * In each partition. Small ones in great number take long to replay and little to write: each is
   * read, indexed anew, and has the state of its producers written and forced to disk.
   */
  private static final int SEGMENTS = 300;

  private static final int RECORD_BYTES = 1_000;

  /** Further apart than a segment may span, so that each record begins one. */
  private static final int MILLIS_APART = 10;

  private static final Pattern SEEN_REPLAYING =
      Pattern.compile(
          "(?m)^(\\S+) \\[.*server 1 is recovering: (\\d+) logs and (\\d+) segments left");
  private static final Pattern LOADED = Pattern.compile("Loaded \\d+ logs in (\\d+) ?ms");

  @TempDir private Path folder;

  /** What the roll said of the replay at one moment. */
  private record Seen(Instant at, int logs, int segments) {}

  @Test
  void a_broker_that_replays_its_logs_is_waited_for_while_the_roll_goes_on_where_safe()
      throws Exception {
    try (var bench = RollBench.start(plan(), folder)) {
      fill(bench);
      bench.kafka().server(KILLED).kill();
      bench.kafka().server(KILLED).start();
      try (var watch = new IsrWatch(bench.kafka());
          var roll = bench.run("--reason", "a test")) {
        assertThat(roll.exitStatus(ROLL_LIMIT)).as(roll.said()).isZero();

        System.out.println(roll.said());
        assertThat(replay(bench)).isGreaterThan(REPLAY_AT_LEAST);
        goesOnWhereSafe(roll, seen(roll));
        assertThat(watch.below()).as("partitions below their minimum").isEmpty();
      }
      assertThat(bench.starts())
          .as("starts, one more of the broker that was killed")
          .allSatisfy((id, starts) -> assertThat(starts).isEqualTo(id == KILLED ? 3 : 2));
    }
  }

  /** What is on disk is known to be there only after an hour: until then all of it is replayed. */
  private static ClusterPlan plan() {
    return ClusterPlan.separate(3, BROKERS)
        .withProperty("log.flush.offset.checkpoint.interval.ms", "3600000")
        .withProperty("num.recovery.threads.per.data.dir", "1");
  }

  private static void goesOnWhereSafe(SluiceProcess roll, List<Seen> seen) throws IOException {
    assertThat(seen).as("progress of the replay").hasSizeGreaterThan(2);
    assertThat(seen)
        .as("fewer logs each time")
        .isSortedAccordingTo(Comparator.comparingInt(Seen::logs).reversed());
    assertThat(seen.getFirst().logs()).isGreaterThan(seen.getLast().logs());
    assertThat(seen).as("segments of the log under way").anyMatch(each -> each.segments() > 0);
    var controllers = new ArrayList<Instant>();
    var brokers = new ArrayList<Instant>();
    for (var batch : RollBench.result(roll).path("report").path("batches")) {
      int server = batch.path("servers").path(0).path("server").asInt();
      (server > BROKERS ? controllers : brokers).add(Instant.parse(batch.path("at").asText()));
    }
    assertThat(controllers).hasSize(3);
    assertThat(controllers.getFirst()).as("elsewhere meanwhile").isBefore(seen.getLast().at());
    assertThat(brokers).hasSize(BROKERS);
    assertThat(brokers.getFirst()).as("not where it is missed").isAfter(seen.getLast().at());
  }

  private static List<Seen> seen(SluiceProcess roll) {
    return SEEN_REPLAYING
        .matcher(roll.said())
        .results()
        .map(
            line ->
                new Seen(
                    Instant.parse(line.group(1)),
                    Integer.parseInt(line.group(2)),
                    Integer.parseInt(line.group(3))))
        .toList();
  }

  /** How long the longest load of logs took, by the server's own log. */
  private static Duration replay(RollBench bench) throws IOException {
    var log = bench.kafka().server(KILLED).logFile();
    var longest = Duration.ZERO;
    try (var files =
        Files.newDirectoryStream(log.toAbsolutePath().getParent(), log.getFileName() + "*")) {
      for (var file : files) {
        for (var line : LOADED.matcher(Files.readString(file)).results().toList()) {
          var took = Duration.ofMillis(Long.parseLong(line.group(1)));
          longest = took.compareTo(longest) > 0 ? took : longest;
        }
      }
    }
    System.out.println("the replay took " + longest);
    return longest;
  }

  private static void fill(RollBench bench) throws Exception {
    Map<String, Object> clients = Map.of("bootstrap.servers", bench.kafka().bootstrapServers());
    try (var admin = Admin.create(clients)) {
      var topic =
          new NewTopic(TOPIC, Optional.of(PARTITIONS), Optional.of((short) 3))
              .configs(Map.of("segment.ms", "1"));
      admin.createTopics(List.of(topic)).all().get(30, TimeUnit.SECONDS);
    }
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bench.kafka().bootstrapServers(),
            "batch.size",
            "0",
            "delivery.timeout.ms",
            "300000");
    long began = System.currentTimeMillis() - (long) SEGMENTS * MILLIS_APART;
    try (var producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      byte[] value = new byte[RECORD_BYTES];
      for (int i = 0; i < SEGMENTS; i++) {
        long at = began + (long) i * MILLIS_APART;
        for (int partition = 0; partition < PARTITIONS; partition++) {
          var _ = producer.send(new ProducerRecord<>(TOPIC, partition, at, null, value));
        }
      }
    }
  }
}
