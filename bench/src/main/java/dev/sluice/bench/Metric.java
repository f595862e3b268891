package dev.sluice.bench;

/** What is measured, in the order of tables. */
enum Metric {
  PRODUCE_CPU("produced: CPU s/GB", 3, Compared.AS_RATIO),
  CONSUME_CPU("consumed: CPU s/GB", 3, Compared.AS_RATIO),
  CPU("both: CPU s/GB", 3, Compared.AS_RATIO),
  PRODUCE_RATE("produced: MB/s", 0, Compared.NOT),
  CONSUME_RATE("consumed: MB/s", 0, Compared.NOT),
  RATE("both: MB/s", 0, Compared.AS_RATIO),
  P50("p50 ms", 2, Compared.AS_DIFFERENCE),
  P99("p99 ms", 2, Compared.AS_DIFFERENCE),
  P999("p99.9 ms", 2, Compared.AS_DIFFERENCE),
  PACED_OTHERS("CPU of broker and clients, %", 0, Compared.NOT),
  PACED_CPU("CPU s/GB", 3, Compared.AS_RATIO),
  STUB_64K_CPU("64 KiB: CPU µs each", 1, Compared.AS_RATIO),
  STUB_64K_RATE("64 KiB: requests/s", 0, Compared.AS_RATIO),
  STUB_1K_CPU("1 KiB: CPU µs each", 1, Compared.AS_RATIO),
  STUB_1K_RATE("1 KiB: requests/s", 0, Compared.AS_RATIO),
  IDLE_FEW("KB for each of 1,000", 1, Compared.AS_RATIO),
  IDLE_MANY("KB for each of about 10,000", 1, Compared.AS_RATIO),
  RESIDENT("RSS MB", 0, Compared.NOT),
  START_ONE("s until 1 cluster serves", 2, Compared.NOT),
  START_MANY("s until 500 clusters serve", 2, Compared.NOT),
  STATUS("s for `sluice status`", 2, Compared.NOT),
  CHANGE("ms to change one of 500", 1, Compared.NOT),
  DRAIN("s to drain about 10,000 connections", 2, Compared.NOT),
  DRAIN_BEYOND("ms of it after the last answer", 0, Compared.NOT);

  /** How two arms of the same round are compared. */
  enum Compared {
    NOT,
    AS_RATIO,
    AS_DIFFERENCE
  }

  private final String title;
  private final int decimals;
  private final Compared compared;

  Metric(String title, int decimals, Compared compared) {
    this.title = title;
    this.decimals = decimals;
    this.compared = compared;
  }

  String title() {
    return title;
  }

  int decimals() {
    return decimals;
  }

  Compared compared() {
    return compared;
  }
}
