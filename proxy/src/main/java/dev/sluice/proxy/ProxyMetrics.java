package dev.sluice.proxy;

import dev.sluice.lifecycle.quiet.Outcome;
import dev.sluice.proxy.Metric.Label;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** What is measured on the data path of every virtual cluster. */
public final class ProxyMetrics {

  /** The label that says which virtual cluster a series is about. */
  public static final Label CLUSTER = Label.open("virtual_cluster", "the name of one");

  private static final Label API =
      Label.open("api", "a request of Kafka's protocol, such as `Produce`");
  private static final Label CAUSE =
      Label.of(
          "cause",
          "what ended the connection",
          Arrays.stream(DisconnectCause.values()).map(DisconnectCause::label));
  private static final Label REACHED =
      Label.of(
          "limit",
          "as it is called in the configuration",
          Arrays.stream(Limit.values()).map(Limit::label));
  private static final Label BOUND =
      Label.of(
          "limit",
          "as it is called in `limits`",
          Stream.of(Limit.MAX_FRAME_SIZE, Limit.MAX_CONNECTIONS, Limit.MAX_IN_FLIGHT)
              .map(Limit::label));
  private static final Label TIME_OUT =
      Label.of(
          "limit",
          "as it is called in `network.proxy`",
          ProxyMeters.TIME_OUTS.keySet().stream().map(Limit::label));
  private static final Label REASON =
      Label.of("reason", "why it was led nowhere", Arrays.stream(Unled.values()).map(Unled::label));
  private static final Label HOW =
      Label.of(
          "how",
          "how it ended for the connection",
          Arrays.stream(Outcome.values()).map(ProxyMetrics::how));

  static final Metric CONNECTIONS =
      Metric.gauge(
          "sluice.client.connections",
          "Connections of clients that are open.",
          "Clients cannot connect (is it at `limits.maxConnections`?), or a drain does not end.",
          CLUSTER);
  static final Metric IN_FLIGHT =
      Metric.gauge(
          "sluice.requests.in.flight",
          "Requests read from clients whose responses have not been written.",
          "Latency grows: requests pile up here when a broker or a client is slow.",
          CLUSTER);
  static final Metric REQUEST_BYTES =
      Metric.counter(
              "sluice.request.bytes",
              "Bytes of requests read from clients.",
              "Which virtual cluster produces how much.",
              CLUSTER)
          .in("bytes");
  static final Metric RESPONSE_BYTES =
      Metric.counter(
              "sluice.response.bytes",
              "Bytes of responses handed to clients.",
              "Which virtual cluster consumes how much.",
              CLUSTER)
          .in("bytes");
  static final Metric DISCONNECTS =
      Metric.counter(
          "sluice.disconnects",
          "Connections of clients that have ended, by cause.",
          "Clients reconnect often: `upstream_…` points to Kafka, `filtered` to a filter,"
              + " `bad_request` to a client that does not speak Kafka.",
          CLUSTER,
          CAUSE);
  static final Metric LIMIT =
      Metric.gauge(
          "sluice.limit",
          "The bounds of `limits`: bytes of a frame, connections, requests in flight of one"
              + " connection.",
          "`sluice_client_connections` comes close to it.",
          CLUSTER,
          BOUND);
  static final Metric LIMIT_REACHED =
      Metric.counter(
          "sluice.limit.reached",
          "How often somebody ran into a limit. At `maxInFlight` a client is not read for a while, at"
              + " all others a connection is refused or ends.",
          "Connections end, or clients are slow, and neither Kafka nor the network is the reason.",
          CLUSTER,
          REACHED);
  static final Metric TIME_LIMIT =
      Metric.gauge(
              "sluice.time.limit",
              "The time-outs of `network.proxy`.",
              "A limit is reached often: how long was waited.",
              TIME_OUT)
          .in("seconds");
  static final Metric UNLED =
      Metric.counter(
          "sluice.unled.clients",
          "Clients at a port that gateways share that were led to no virtual cluster.",
          "Clients cannot connect and no virtual cluster has seen them: of `unknown_host` and"
              + " `no_host` the log tells what they asked for; `nobody_there` passes when their"
              + " virtual cluster serves again.",
          REASON);
  static final Metric ACCEPTING_PAUSES =
      Metric.counter(
          "sluice.accepting.pauses",
          "How often accepting paused since no connection could be taken, as when the process has"
              + " no file descriptor left.",
          "Clients wait to be connected: raise the limit of open files, or lower"
              + " `limits.maxConnections`.");
  static final Metric BUFFER_MEMORY =
      Metric.gauge(
              "sluice.buffer.memory",
              "Memory outside the heap that is held for bytes on their way, in use or to be used again: hardly less than ever was in use.",
              "Memory of the process grows: slow readers hold up to 1.25 MiB for each connection.")
          .in("bytes");
  static final Metric BUFFER_MEMORY_LIMIT =
      Metric.gauge(
              "sluice.buffer.memory.limit",
              "The most that there may be of it: `-XX:MaxDirectMemorySize`, or as much as the heap.",
              "Connections end as `no_memory`: `sluice_buffer_memory_bytes` has come up to it.")
          .in("bytes");
  static final Metric REQUESTS =
      Metric.counter(
          "sluice.requests",
          "Requests read from clients.",
          "What clients do, and whether they do anything.",
          CLUSTER,
          API);
  static final Metric LATENCY =
      Metric.histogram(
          "sluice.request.latency",
          "From reading a request to handing its response to the client's channel. Kafka's part is"
              + " in it: a Fetch waits at the broker for as long as its client asked it to.",
          "Clients are slow: compare `Produce` with what brokers measure by themselves.",
          CLUSTER,
          API);
  static final Metric DRAIN_CONNECTIONS =
      Metric.counter(
          "sluice.drain.connections",
          "Connections that were asked to go quiet, by how it ended.",
          "After a drain, a restart or a reload: `force_closed` and `closed_unread` were noticed"
              + " by clients.",
          CLUSTER,
          HOW);
  static final Metric DRAIN_REFUSED =
      Metric.counter(
          "sluice.drain.refused.requests",
          "Requests that a drain answered with a refusal, which clients try again by themselves.",
          "A drain took long: which requests came on and on.",
          CLUSTER,
          API);
  static final Metric DRAIN_UNANSWERED =
      Metric.counter(
          "sluice.drain.unanswered.requests",
          "Requests in flight on connections that a drain closed at its deadline.",
          "After a drain: each may have been seen by an application as an error.",
          CLUSTER,
          API);
  static final Metric DRAIN_EARLY =
      Metric.counter(
          "sluice.drain.early.answers",
          "Polls that a drain answered early, and empty, because a broker sat on them.",
          "Consumers poll more often than expected after a restart.",
          CLUSTER,
          API);
  static final Metric DRAIN_DURATION =
      Metric.summary(
          "sluice.drain.duration",
          "How long drains lasted until no connection was left.",
          "`drainTimeout` is chosen: it should be well above the maximum.",
          CLUSTER);

  static final Metric CERTIFICATE_END =
      Metric.gauge(
              "sluice.gateway.certificate.expiration.timestamp",
              "Until when the certificate is good that clients of a gateway are shown, in seconds"
                  + " since 1970; only of gateways that speak TLS.",
              "Before it passes: `SluiceCertificateExpires` fires a week earlier.",
              CLUSTER,
              Label.open("gateway", "the name of one of the virtual cluster"))
          .in("seconds");

  /** Of every virtual cluster. */
  public static final List<Metric> ALL =
      List.of(
          CONNECTIONS,
          IN_FLIGHT,
          REQUEST_BYTES,
          RESPONSE_BYTES,
          DISCONNECTS,
          LIMIT,
          LIMIT_REACHED,
          REQUESTS,
          LATENCY,
          DRAIN_CONNECTIONS,
          DRAIN_REFUSED,
          DRAIN_UNANSWERED,
          DRAIN_EARLY,
          DRAIN_DURATION,
          CERTIFICATE_END);

  /** Of the proxy, whichever virtual clusters it has. */
  public static final List<Metric> SHARED =
      List.of(TIME_LIMIT, UNLED, ACCEPTING_PAUSES, BUFFER_MEMORY, BUFFER_MEMORY_LIMIT);

  private ProxyMetrics() {}

  /** How a connection went quiet, as {@code sluice_drain_connections_total} names it. */
  static String how(Outcome outcome) {
    return switch (outcome) {
      case SWITCHED -> "in_place";
      case FORCED -> "force_closed";
      case QUIESCED, REFUSED_THEN_QUIESCED, CLOSED_UNREAD, UPSTREAM_LOST, CLIENT_LEFT ->
          outcome.label().replace('-', '_');
    };
  }
}
