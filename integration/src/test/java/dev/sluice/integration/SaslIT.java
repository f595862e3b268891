package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients say of themselves passes through to the broker, also when it is said anew. */
@ExtendWith(SecureKafka.Given.class)
class SaslIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @ParameterizedTest
  @ValueSource(strings = {"PLAIN", "SCRAM-SHA-256", "OAUTHBEARER"})
  void a_client_authenticates_itself_and_does_so_again_on_the_same_connection(
      String mechanism, SecureKafka kafka) throws Exception {
    if (mechanism.startsWith("SCRAM")) {
      addUser(kafka);
    }
    var settings = settings(kafka, mechanism, SecureKafka.PASSWORD);
    try (var proxy = inFrontOf(kafka)) {
      var servers = proxy.bootstrapServers("orders");
      TlsIT.converse(servers, settings);
      var topic = TlsIT.topic(servers, settings);
      try (var producer = new Clients(servers).producer(new HashMap<>(settings))) {
        Clients.produce(producer, topic, 1);
        double made = count(producer, "connection-creation-total");
        await("it says anew who it is")
            .atMost(PATIENCE)
            .until(
                () -> {
                  producer.send(new ProducerRecord<>(topic, "v")).get();
                  return count(producer, "successful-reauthentication-total");
                },
                times -> times >= 1);
        Clients.produce(producer, topic, 10);
        assertThat(count(producer, "connection-creation-total"))
            .as("connections that were made")
            .isEqualTo(made);
      }
    }
  }

  @Test
  void a_wrong_password_is_refused_in_the_words_of_the_broker(SecureKafka kafka) {
    try (var proxy = inFrontOf(kafka)) {
      assertThatThrownBy(
              () ->
                  TlsIT.topic(
                      proxy.bootstrapServers("orders"), settings(kafka, "PLAIN", "a-wrong-one")))
          .rootCause()
          .isInstanceOf(SaslAuthenticationException.class)
          .hasMessageContaining("Invalid username or password");
    }
  }

  private static RunningProxy inFrontOf(SecureKafka kafka) {
    return TlsIT.running(
        SecureProxy.speaking(
            SecureProxy.showing(
                SecureProxy.byPort("orders", kafka.at(SecureKafka.SASL)), kafka.shown()),
            kafka.trusting()));
  }

  static void addUser(SecureKafka kafka) throws Exception {
    var servers = Map.<String, Object>of("bootstrap.servers", kafka.cluster().bootstrapServers());
    try (var admin = Admin.create(servers)) {
      Clients.done(
          admin
              .alterUserScramCredentials(
                  List.of(
                      new UserScramCredentialUpsertion(
                          "alice",
                          new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096),
                          SecureKafka.PASSWORD)))
              .all());
    }
    await("the broker has learnt of her")
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(ExecutionException.class)
        .until(() -> isKnown(kafka));
  }

  private static boolean isKnown(SecureKafka kafka) throws Exception {
    var clients = new Clients(kafka.cluster().bootstrapServers(SecureKafka.SASL));
    var settings = settings(kafka, "SCRAM-SHA-256", SecureKafka.PASSWORD);
    try (var admin = Admin.create(clients.settings(new HashMap<>(settings)))) {
      return !Clients.done(admin.describeCluster().nodes()).isEmpty();
    }
  }

  private static Map<String, String> settings(
      SecureKafka kafka, String mechanism, String password) {
    var settings = new HashMap<>(kafka.trustingClient());
    settings.put("security.protocol", "SASL_SSL");
    settings.put("sasl.mechanism", mechanism);
    settings.put(
        "sasl.jaas.config",
        switch (mechanism) {
          case "PLAIN" ->
              "org.apache.kafka.common.security.plain.PlainLoginModule required username=alice"
                  + " password=\"%s\";".formatted(password);
          case "OAUTHBEARER" ->
              "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required"
                  + " unsecuredLoginStringClaim_sub=alice;";
          default ->
              "org.apache.kafka.common.security.scram.ScramLoginModule required username=alice"
                  + " password=\"%s\";".formatted(password);
        });
    return settings;
  }

  /** Of all metrics of this name, whichever connection they are about. */
  private static double count(KafkaProducer<String, String> producer, String name) {
    return producer.metrics().values().stream()
        .filter(metric -> metric.metricName().name().equals(name))
        .filter(metric -> metric.metricName().group().equals("producer-metrics"))
        .mapToDouble(metric -> (double) metric.metricValue())
        .sum();
  }
}
