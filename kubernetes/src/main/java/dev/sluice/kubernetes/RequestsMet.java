package dev.sluice.kubernetes;

import dev.sluice.kubernetes.Api.Kind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes requests to restart away from owners of which every pod was started since. */
final class RequestsMet {

  private static final Logger LOG = LoggerFactory.getLogger(RequestsMet.class);

  private final Api api;
  private final SnapshotReader reader;

  RequestsMet(Api api, SnapshotReader reader) {
    this.api = api;
    this.reader = reader;
  }

  /** As far as that is allowed; what remains is met all the same, by the time of each pod. */
  void takeAway() {
    try {
      Snapshot now = reader.read();
      for (OwnerFacts owner : now.owners().values()) {
        List<PodFacts> pods =
            now.pods().stream()
                .filter(
                    pod -> pod.owner().filter(each -> each.uid().equals(owner.uid())).isPresent())
                .toList();
        for (Restarts.Request request : Restarts.of(owner.annotations())) {
          if (!pods.isEmpty() && pods.stream().allMatch(pod -> met(pod, owner, request))) {
            takeAway(owner, request);
          }
        }
      }
    } catch (IOException e) {
      LOG.atWarn().addKeyValue("why", e.getMessage()).log("Requests that are met not taken away");
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean met(PodFacts pod, OwnerFacts owner, Restarts.Request request) {
    Instant at = Restarts.at(owner, request, reader::firstSeen);
    return pod.running()
        && pod.server().state() instanceof ContainerFacts.State.Running(Instant since)
        && since.isAfter(at);
  }

  /** Another request may have come meanwhile: that one stays. */
  private void takeAway(OwnerFacts owner, Restarts.Request request) throws ApiException {
    String root = owner.apiVersion().contains("/") ? "/apis/" : "/api/";
    Kind kind = new Kind(root + owner.apiVersion(), owner.kind().toLowerCase(Locale.ROOT) + "s");
    var found = api.get(kind, owner.name(), GenericKubernetesResource.class);
    if (found.isEmpty()) {
      return;
    }
    Map<String, String> left = new HashMap<>(found.get().getMetadata().getAnnotations());
    if (left.remove(request.annotation(), request.value())) {
      found.get().getMetadata().setAnnotations(left);
      api.replace(kind, found.get(), GenericKubernetesResource.class);
    }
  }
}
