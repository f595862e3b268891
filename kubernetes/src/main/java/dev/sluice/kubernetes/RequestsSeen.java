package dev.sluice.kubernetes;

import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** When requests to restart were first seen whose time nobody tells. Thread-safe. */
final class RequestsSeen {

  /** More than that many are not remembered: the oldest are forgotten. */
  private static final int REQUESTS_MAX = 1_000;

  private final Map<Seen, Instant> first =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Seen, Instant> eldest) {
          return size() > REQUESTS_MAX;
        }
      };

  private record Seen(String uid, String annotation, String value) {}

  synchronized Instant first(String uid, String annotation, String value, Clock clock) {
    return first.computeIfAbsent(new Seen(uid, annotation, value), _ -> clock.instant());
  }
}
