package dev.sluice.kubernetes;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Requests to restart that are annotations. */
final class Restarts {

  private Restarts() {}

  /** One of them. */
  record Request(String annotation, String value) {
    String sentence(String on) {
      String said = annotation.equals(Annotations.RESTART) ? Text.afterColon(value) : "";
      return "annotation " + annotation + " of " + on + said;
    }
  }

  static List<Request> of(Map<String, String> annotations) {
    List<Request> requests = new ArrayList<>();
    if ("true".equals(annotations.get(Annotations.MANUAL_ROLL))) {
      requests.add(new Request(Annotations.MANUAL_ROLL, "true"));
    }
    String ours = annotations.get(Annotations.RESTART);
    if (ours != null && !ours.isBlank() && !ours.equals("false")) {
      requests.add(new Request(Annotations.RESTART, ours));
    }
    return requests;
  }

  /** When it was made: as it says itself, as the API server noted, or as it was first seen. */
  static Instant at(OwnerFacts owner, Request request, PodReading.FirstSeen seen) {
    return instant(request.value())
        .or(() -> Optional.ofNullable(owner.annotated().get(request.annotation())))
        .orElseGet(() -> seen.of(owner.uid(), request.annotation(), request.value()));
  }

  private static Optional<Instant> instant(String value) {
    try {
      return Optional.of(OffsetDateTime.parse(value.strip()).toInstant());
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }
}
