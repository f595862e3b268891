package dev.sluice.bench;

import java.util.Locale;

/** What is sent. */
enum Workload {
  /** Many records in a batch of 64 KiB. */
  SMALL("1,000-byte records", 1_000),
  /** Every record is a batch. */
  LARGE("1 MiB records", 1 << 20);

  private final String title;
  private final int recordBytes;

  Workload(String title, int recordBytes) {
    this.title = title;
    this.recordBytes = recordBytes;
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

  /** How many records make so many gigabytes, at least one. */
  int records(double gigabytes) {
    return (int) Math.max(1, Math.round(gigabytes * Measured.GIGABYTE / recordBytes));
  }
}
