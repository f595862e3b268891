package dev.sluice.roller.cluster;

import dev.sluice.planner.configuration.ActualEntry;
import dev.sluice.planner.reading.Fact;
import dev.sluice.planner.reading.Fact.Known;
import dev.sluice.planner.reading.Fact.Missing;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.roller.ServerSpec;
import dev.sluice.roller.cluster.Handshake.Answer.Given;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.EndpointType;
import org.apache.kafka.common.Node;

/**
 * Looks at servers' own ports: whether they speak Kafka, and if so, what they are configured with.
 * {@link #look} is for many threads, the rest for the thread of the loop.
 */
final class PortLook {

  /** Connection, greeting, answer and configuration: all of it fits into one observation. */
  private static final int LIMIT_DIVISOR = 4;

  /**
   * A server that pauses is not one that is gone, and one that refuses may be one that a person is
   * stopping: neither counts before it has lasted so long.
   */
  private static final Duration SILENCE_COUNTS = Duration.ofSeconds(30);

  private final ClusterObserver.Parts parts;
  private final Map<Integer, String> addresses = new ConcurrentHashMap<>();
  private final Map<Integer, Instant> silentSince = new HashMap<>();

  PortLook(ClusterObserver.Parts parts) {
    this.parts = parts;
    parts.servers().forEach(each -> each.address().ifPresent(at -> addresses.put(each.id(), at)));
  }

  /**
   * What was seen.
   *
   * @param configuration of a server that answered; missing when it was not asked or did not tell
   */
  record Seen(Handshake.Answer answer, Fact<Map<String, ActualEntry>> configuration) {

    /** Whether it positively knows of no active controller. */
    boolean knowsOfNoController() {
      return answer instanceof Given(Optional<Handshake.Word> word)
          && word.filter(said -> said.activeController().orElse(0) < 0).isPresent();
    }
  }

  /** Whether its address was written down, or Kafka has told it. */
  boolean knows(ServerSpec server) {
    return addresses.containsKey(server.id());
  }

  Seen look(ServerSpec server) throws IOException, InterruptedException {
    String address = addresses.get(server.id());
    if (address == null) {
      throw new IOException("its address is not known");
    }
    Duration limit = parts.limit().dividedBy(LIMIT_DIVISOR);
    Handshake.Answer answer =
        Handshake.of(
            address,
            server.broker() ? EndpointType.BROKER : EndpointType.CONTROLLER,
            parts.kafka().settings(server),
            (int) limit.toMillis());
    if (!(answer instanceof Given(Optional<Handshake.Word> word))) {
      return new Seen(answer, Fact.missing("it does not answer"));
    }
    if (word.isPresent() && !word.get().clusterId().equals(parts.clusterId())) {
      throw new IOException(
          "what answers at %s is of cluster %s, and this roll is about %s"
              .formatted(address, word.get().clusterId(), parts.clusterId()));
    }
    return new Seen(answer, configuration(server, limit));
  }

  private Fact<Map<String, ActualEntry>> configuration(ServerSpec server, Duration limit)
      throws IOException, InterruptedException {
    if (parts.desired().of(server).isEmpty()) {
      return Fact.missing("nobody compares it");
    }
    Optional<Admin> admin = parts.kafka().of(server);
    if (admin.isEmpty()) {
      return Fact.missing("no way to controllers is configured");
    }
    Instant at = Instant.now();
    try {
      return Fact.known(ConfigurationLook.of(admin.get(), server.id(), limit), at);
    } catch (ExecutionException | TimeoutException e) {
      return Fact.missing(Gathering.said(e));
    }
  }

  static Fact<Map<String, ActualEntry>> configuration(Fact<Seen> port) {
    return switch (port) {
      case Known<Seen>(Seen(_, Fact<Map<String, ActualEntry>> configuration), _) -> configuration;
      case Missing<Seen>(String why) -> Fact.missing(why);
    };
  }

  /** Whether it answers; that a server does not which has been up for long needs time to count. */
  Fact<Boolean> answering(
      ServerSpec server, Fact<Seen> port, Fact<PlatformReading> platform, Duration grace) {
    if (!(port instanceof Known<Seen>(Seen seen, Instant at))) {
      return port.map(_ -> false);
    }
    if (seen.answer() instanceof Given) {
      silentSince.remove(server.id());
      return Fact.known(true, at);
    }
    Instant since = silentSince.computeIfAbsent(server.id(), _ -> at);
    boolean young =
        platform instanceof Known<PlatformReading>(PlatformReading process, _)
            && process.since().plus(grace).isAfter(at);
    Duration silent = Duration.between(since, at);
    return young || silent.compareTo(SILENCE_COUNTS) >= 0
        ? Fact.known(false, at)
        : Fact.missing(
            (seen.answer() instanceof Handshake.Answer.Refusal
                    ? "it has refused connections for "
                    : "it has been silent for ")
                + silent.toSeconds()
                + "s");
  }

  /** Addresses that Kafka tells, of servers whose address nobody wrote down. */
  void remember(Fact<Map<Integer, Node>> nodes) {
    if (nodes instanceof Known<Map<Integer, Node>>(Map<Integer, Node> seen, Instant _)) {
      seen.values().stream()
          .filter(node -> !node.host().isEmpty())
          .forEach(node -> addresses.putIfAbsent(node.id(), node.host() + ":" + node.port()));
    }
  }
}
