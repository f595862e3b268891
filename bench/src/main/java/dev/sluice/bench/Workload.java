package dev.sluice.bench;

import static dev.sluice.bench.Arm.DIRECT;
import static dev.sluice.bench.Arm.DIRECT2;
import static dev.sluice.bench.Arm.FILTERED;
import static dev.sluice.bench.Arm.HAPROXY;
import static dev.sluice.bench.Arm.KROXYLICIOUS;
import static dev.sluice.bench.Arm.RELAY;
import static dev.sluice.bench.Arm.SLUICE;

import java.util.List;
import java.util.Locale;

/** What arms are put to, each with a table of its own. */
@SuppressWarnings("ImmutableEnumChecker") // Its record and its lists are values: List.of.
enum Workload {
  /** Many records in a batch of 64 KiB. */
  SMALL(
      "1,000-byte records in batches of 64 KiB",
      new Records(1_000, 1, 1),
      Upstream.BROKER,
      List.of(DIRECT, DIRECT2, RELAY, SLUICE, HAPROXY, KROXYLICIOUS)),
  /** Every record is a batch. */
  LARGE(
      "1 MiB records",
      new Records(1 << 20, 1, 1),
      Upstream.BROKER,
      List.of(DIRECT, DIRECT2, RELAY, SLUICE, HAPROXY, KROXYLICIOUS)),
  /** Many partitions: batches stay small, and a response tells of many of them. */
  TINY(
      "100-byte records over 1,000 partitions",
      new Records(100, 1_000, 0.1),
      Upstream.BROKER,
      List.of(DIRECT, DIRECT2, RELAY, SLUICE, HAPROXY, KROXYLICIOUS)),
  /** TLS with clients and with the broker. */
  TLS(
      "1,000-byte records, TLS in and out",
      new Records(1_000, 1, 0.4),
      Upstream.TLS_BROKER,
      List.of(DIRECT, SLUICE, HAPROXY, KROXYLICIOUS)),
  /** What a filter costs that wants none of what passes. */
  FILTER(
      "1,000-byte records, one filter that decodes Metadata only",
      new Records(1_000, 1, 1),
      Upstream.BROKER,
      List.of(SLUICE, FILTERED)),
  /** Open loop, from the times at which records were to be sent. */
  LATENCY(
      "open loop at 35 % of what direct can do, 1,000-byte records",
      new Records(1_000, 1, 1),
      Upstream.BROKER,
      List.of(DIRECT, DIRECT2, RELAY, SLUICE, HAPROXY, KROXYLICIOUS)),
  /** No broker and no Kafka client: what is left is the arm. */
  STUB(
      "a stub that answers at once, Produce requests of 64 KiB and of 1 KiB, five in flight",
      Records.NONE,
      Upstream.STUB,
      List.of(DIRECT, RELAY, SLUICE, HAPROXY, KROXYLICIOUS)),
  /** Connections that have asked once and are silent. */
  IDLE(
      "idle connections, arms started anew for each round",
      Records.NONE,
      Upstream.STUB,
      List.of(RELAY, SLUICE, HAPROXY, KROXYLICIOUS)),
  /** What operations cost. */
  LIFECYCLE(
      "the proxy's own life: starting, changing one of 500 clusters, draining",
      Records.NONE,
      Upstream.STUB,
      List.of(SLUICE));

  /**
   * What is produced.
   *
   * @param bytes of each record's value; it has no key
   * @param partitions of the topic; records go round them
   * @param share of the gigabytes that are asked for: what is slow in the clients gets less
   */
  record Records(int bytes, int partitions, double share) {
    static final Records NONE = new Records(1, 1, 0);

    /** How many records make this share of so many gigabytes, at least one for each partition. */
    int count(double gigabytes) {
      return (int) Math.max(partitions, Math.round(gigabytes * share * GIGABYTE / bytes));
    }
  }

  /** 10^9 bytes. */
  static final double GIGABYTE = 1e9;

  private final String title;
  private final Records records;
  private final Upstream upstream;
  private final List<Arm> arms;

  Workload(String title, Records records, Upstream upstream, List<Arm> arms) {
    this.title = title;
    this.records = records;
    this.upstream = upstream;
    this.arms = arms;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  String title() {
    return title;
  }

  Records records() {
    return records;
  }

  Upstream upstream() {
    return upstream;
  }

  /** Those that have something to do with it. */
  List<Arm> arms() {
    return arms;
  }
}
