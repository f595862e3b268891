package dev.sluice.integration;

import static dev.sluice.integration.Clients.consume;
import static dev.sluice.integration.Clients.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.filter.FilterFactory;
import dev.sluice.filter.Settings;
import dev.sluice.filters.audit.AuditLogFactory;
import dev.sluice.filters.produce.ProduceValidationFactory;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.proxy.FilterSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** Rules for records, and the audit log, as Java clients and kcat meet them. */
@ExtendWith(KafkaCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShippedFiltersIT {

  private static final String CLUSTER = "ruled";
  private static final Logger AUDITED = (Logger) LoggerFactory.getLogger("dev.sluice.AuditLog");

  private final Lines lines = new Lines();
  private RunningProxy proxy;
  private Clients clients;

  /** What the audit log was told, with all that belongs to it. */
  private static final class Lines extends AppenderBase<ILoggingEvent> {
    private final Queue<String> told = new ConcurrentLinkedQueue<>();

    @Override
    protected void append(ILoggingEvent event) {
      told.add(
          event.getMessage()
              + event.getKeyValuePairs().stream()
                  .map(pair -> " " + pair.key + "=" + pair.value)
                  .collect(Collectors.joining()));
    }

    List<String> about(String topic) {
      return told.stream().filter(line -> line.contains(topic)).toList();
    }
  }

  @BeforeAll
  void start(EmbeddedCluster kafka) {
    lines.start();
    AUDITED.addAppender(lines);
    var rules =
        Map.of("keyRequired", true, "requiredHeaders", List.of("trace"), "maxRecordSize", 200L);
    var audit = Map.of("apis", List.of("CreateTopics", "DeleteTopics", "Produce"));
    proxy =
        RunningProxy.start(
            List.of(
                RunningProxy.spec(CLUSTER, kafka)
                    .withFilters(
                        List.of(
                            filter("audit", new AuditLogFactory(), audit),
                            filter("rules", new ProduceValidationFactory(), rules)))),
            FailurePolicy.DEFAULT);
    proxy.awaitServing();
    clients = new Clients(proxy.bootstrapServers(CLUSTER));
  }

  private static FilterSpec filter(String name, FilterFactory factory, Map<String, ?> set) {
    var settings = Settings.of(factory.settings(), set);
    return new FilterSpec(name, factory, settings, FilterSpec.DEFAULT_TIME_LIMIT);
  }

  @AfterAll
  void stop() {
    AUDITED.detachAppender(lines);
    if (proxy != null) {
      proxy.close();
    }
  }

  @Test
  void a_producer_is_told_which_rule_its_record_breaks_and_goes_on() throws Exception {
    var topic = topic();
    try (var producer = clients.producer(Map.of());
        var consumer = clients.consumer(topic, Map.of())) {
      assertThat(producer.send(record(topic, null, "v")))
          .failsWithin(Clients.PATIENCE)
          .withThrowableThat()
          .withCauseInstanceOf(InvalidRecordException.class)
          .withMessageContaining("expected a record with a key, found one without");
      assertThat(producer.send(new ProducerRecord<>(topic, "k", "v")))
          .failsWithin(Clients.PATIENCE)
          .withThrowableThat()
          .withMessageContaining("expected a record with the header 'trace'");
      assertThat(producer.send(record(topic, "k", "v".repeat(300))))
          .failsWithin(Clients.PATIENCE)
          .withThrowableThat()
          .withMessageContaining("expected a record of at most 200 bytes");
      assertThat(producer.send(record(topic, "k", "sound"))).succeedsWithin(Clients.PATIENCE);
      consumer.subscribe(List.of(topic));
      assertThat(consume(consumer, 1)).containsExactly("sound");
    }
  }

  @Test
  void kcat_is_refused_and_let_through_as_well() throws Exception {
    assumeTrue(Child.find("kcat").isPresent(), "kcat is not installed");
    var topic = topic();
    var refused = kcat("k:broken\n", "-P", "-t", topic, "-K:");
    assertThat(refused.output()).contains("Delivery failed");
    var sound = kcat("k:sound\n", "-P", "-t", topic, "-K:", "-H", "trace=1");
    assertThat(sound.exitStatus()).as(sound.output()).isZero();
    var consumed = kcat("", "-C", "-t", topic, "-e", "-q");
    assertThat(consumed.output().lines()).containsExactly("sound");
    assertThat(lines.told)
        .anyMatch(line -> line.contains("clientId=rdkafka") && line.contains("api=Produce"));
  }

  @Test
  void the_audit_log_tells_who_asked_and_what_came_of_it() throws Exception {
    var topic = topic();
    try (var admin = clients.admin()) {
      assertThat(
              admin
                  .createTopics(List.of(new NewTopic(topic, 1, (short) 1)))
                  .all()
                  .toCompletionStage()
                  .toCompletableFuture())
          .failsWithin(Clients.PATIENCE);
      done(admin.deleteTopics(List.of(topic)).all());
    }
    await()
        .atMost(Clients.PATIENCE)
        .untilAsserted(
            () ->
                assertThat(lines.about(topic))
                    .hasSize(3)
                    .allMatch(line -> line.startsWith("Asked virtualCluster=" + CLUSTER))
                    .allMatch(line -> line.contains("clientId=adminclient-")));
    assertThat(lines.told)
        .anyMatch(line -> line.contains("api=CreateTopics outcomes={TOPIC_ALREADY_EXISTS=1}"))
        .anyMatch(line -> line.contains("api=DeleteTopics outcomes={NONE=1}"));
  }

  private String topic() throws Exception {
    var topic = "ruled-" + UUID.randomUUID();
    try (var admin = clients.admin()) {
      done(admin.createTopics(List.of(new NewTopic(topic, 1, (short) 3))).all());
      Clients.awaitEverywhere(admin, topic);
    }
    return topic;
  }

  private static ProducerRecord<String, String> record(
      String topic, @Nullable String key, String value) {
    var trace = new RecordHeader("trace", "1".getBytes(StandardCharsets.UTF_8));
    return new ProducerRecord<>(topic, null, key, value, List.of(trace));
  }

  private Child kcat(String input, String... arguments) throws InterruptedException {
    var command = new ArrayList<>(List.of("kcat", "-b", proxy.bootstrapServers(CLUSTER)));
    command.addAll(List.of(arguments));
    return Child.run(command, input);
  }
}
