package dev.sluice.bench;

import java.util.Locale;

/** What is sent. */
enum Workload {
  /** Many records in a batch of 64 KiB. */
  SMALL("1,000-byte records", 1_000, 1, 1),
  /** Every record is a batch. */
  LARGE("1 MiB records", 1 << 20, 1, 1),
  /** Many partitions: batches stay small, and a response tells of many of them. */
  TINY("100-byte records, 1,000 partitions", 100, 1_000, 0.2);

  private final String title;
  private final int recordBytes;
  private final int partitions;
  private final double share;

  /**
   * @param share of the gigabytes that are asked for: what is slow in the clients gets less
   */
  Workload(String title, int recordBytes, int partitions, double share) {
    this.title = title;
    this.recordBytes = recordBytes;
    this.partitions = partitions;
    this.share = share;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  String title() {
    return title;
  }

  /** Of a record's value; it has no key. */
  int recordBytes() {
    return recordBytes;
  }

  /** Of the topic; records go round them. */
  int partitions() {
    return partitions;
  }

  /** How many records make this workload's share of so many gigabytes, at least one. */
  int records(double gigabytes) {
    return (int) Math.max(1, Math.round(gigabytes * share * Measured.GIGABYTE / recordBytes));
  }
}
