package dev.sluice.kubernetes;

import dev.sluice.kubernetes.Api.Kind;
import dev.sluice.planner.Need;
import dev.sluice.planner.Plan;
import dev.sluice.roller.Outcome;
import dev.sluice.roller.RollListener;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import java.io.IOException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves an event at the pod and at its owner for every restart, with its reasons, and takes away
 * the requests to restart that are met. Neither ever stops a roll.
 */
final class RestartScribe implements RollListener, AutoCloseable {

  /** What the API server takes as a message, in bytes. */
  static final int MESSAGE_MAX_BYTES = 1_024;

  private static final long CLOSE_SECONDS = 10;
  private static final String COMPONENT = "sluice";
  private static final Logger LOG = LoggerFactory.getLogger(RestartScribe.class);

  private final Api api;
  private final SnapshotReader reader;
  private final RequestsMet met;
  private final Clock clock;
  private final ExecutorService writer =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("roll-events").factory());
  private final AtomicLong count = new AtomicLong();

  RestartScribe(Api api, SnapshotReader reader, Clock clock) {
    this.api = api;
    this.reader = reader;
    this.met = new RequestsMet(api, reader);
    this.clock = clock;
  }

  @Override
  public void acting(Plan.Act act) {
    List<Event> events = new ArrayList<>();
    try {
      Snapshot now = reader.read();
      for (var target : act.targets().entrySet()) {
        if (target.getValue() instanceof Need.Restart restart) {
          now.podOf(target.getKey())
              .ifPresent(pod -> events.addAll(restarts(target.getKey(), restart, pod, now)));
        }
      }
    } catch (IOException e) {
      said("events", e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    events.forEach(this::write);
  }

  @Override
  public void ended(Outcome outcome) {
    if (outcome instanceof Outcome.Halted halted) {
      try {
        Snapshot now = reader.read();
        now.pods().stream()
            .flatMap(pod -> now.ownerOf(pod).stream())
            .distinct()
            .forEach(
                owner ->
                    write(event("Warning", "RollHalted", halted.sentence(), reference(owner))));
      } catch (IOException e) {
        said("events", e);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
    if (outcome instanceof Outcome.Finished) {
      met.takeAway();
    }
  }

  private List<Event> restarts(int server, Need.Restart restart, PodFacts pod, Snapshot now) {
    String message = "server %d: %s".formatted(server, restart.sentence());
    List<Event> events = new ArrayList<>();
    events.add(
        event("Normal", "RollRestart", message, new Reference("v1", "Pod", pod.name(), pod.uid())));
    now.ownerOf(pod)
        .ifPresent(owner -> events.add(event("Normal", "RollRestart", message, reference(owner))));
    return events;
  }

  private record Reference(String apiVersion, String kind, String name, String uid) {}

  private static Reference reference(OwnerFacts owner) {
    return new Reference(owner.apiVersion(), owner.kind(), owner.name(), owner.uid());
  }

  private Event event(String type, String reason, String message, Reference about) {
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    String suffix =
        Long.toHexString(clock.instant().toEpochMilli())
            + Long.toHexString(count.getAndIncrement());
    return new EventBuilder()
        .withNewMetadata()
        .withName(about.name() + "." + suffix)
        .withNamespace(api.namespace())
        .endMetadata()
        .withNewInvolvedObject()
        .withApiVersion(about.apiVersion())
        .withKind(about.kind())
        .withName(about.name())
        .withNamespace(api.namespace())
        .withUid(about.uid())
        .endInvolvedObject()
        .withType(type)
        .withReason(reason)
        .withMessage(Text.cut(message, MESSAGE_MAX_BYTES))
        .withFirstTimestamp(now)
        .withLastTimestamp(now)
        .withCount(1)
        .withNewSource()
        .withComponent(COMPONENT)
        .endSource()
        .build();
  }

  private void write(Event event) {
    writer.execute(
        () -> {
          try {
            api.create(Kind.EVENTS, event, Event.class);
          } catch (ApiException e) {
            said("event", e);
          }
        });
  }

  private static void said(String what, IOException e) {
    LOG.atWarn().addKeyValue("what", what).addKeyValue("why", e.getMessage()).log("Not written");
  }

  /** Waits for what is still to be written, within a bound. */
  @Override
  public void close() {
    writer.shutdown();
    try {
      boolean _ = writer.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
