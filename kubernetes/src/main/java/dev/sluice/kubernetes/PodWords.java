package dev.sluice.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a pod's container said last. */
final class PodWords {

  private static final int LOG_BYTES_MAX = 64 << 10;

  private final Api api;
  private final String container;

  PodWords(Api api, String container) {
    this.api = api;
    this.container = container;
  }

  /** How it ended, and the last lines of its log; of the one before when none runs. */
  List<String> of(PodFacts pod, int most) {
    List<String> words = new ArrayList<>();
    ContainerFacts server = pod.server();
    server.last().map(ContainerFacts.Termination::sentence).ifPresent(words::add);
    if (server.state() instanceof ContainerFacts.State.Ended(var how)) {
      words.add(how.sentence());
    }
    boolean said =
        server.restarts() > 0 || !(server.state() instanceof ContainerFacts.State.Waiting);
    if (said && !(server.state() instanceof ContainerFacts.State.Untold)) {
      boolean previous = server.state() instanceof ContainerFacts.State.Waiting;
      words.addAll(log(pod, most, previous));
    }
    return words;
  }

  private List<String> log(PodFacts pod, int most, boolean previous) {
    try {
      String name = pod.server().name().isEmpty() ? container : pod.server().name();
      Optional<String> log = api.log(pod.name(), name, most, LOG_BYTES_MAX, previous);
      return log.map(text -> text.lines().toList()).orElse(List.of());
    } catch (ApiException e) {
      return List.of("(its log could not be read: " + e.getMessage() + ")");
    }
  }
}
