package dev.sluice.bench;

import java.util.Locale;

/** Which way the bytes go. */
enum Phase {
  PRODUCE,
  CONSUME;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
