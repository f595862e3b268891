package dev.sluice.app.configuration;

import dev.sluice.kubernetes.KubernetesSettings;
import dev.sluice.kubernetes.KubernetesSettings.Action;
import dev.sluice.kubernetes.KubernetesSettings.ConfigurationSource;
import dev.sluice.kubernetes.PodSelection;
import dev.sluice.kubernetes.PodSelection.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** From {@code platform.kubernetes} to its record. */
final class KubernetesBinding {

  private final Entry kubernetes;

  KubernetesBinding(Entry kubernetes) {
    this.kubernetes = kubernetes;
  }

  /** Empty when something that is needed has the wrong form, of which a finding tells. */
  Optional<KubernetesSettings> bind() {
    var selections = selections();
    if (selections.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new KubernetesSettings(
            kubernetes.text("context"),
            kubernetes.text("namespace"),
            selections,
            kubernetes.text("container").orElse(KubernetesSettings.DEFAULT_CONTAINER),
            kubernetes.text("action").filter("delete"::equals).isPresent()
                ? Action.DELETE
                : Action.EVICT,
            configuration()));
  }

  private List<PodSelection> selections() {
    var strimzi = kubernetes.text("strimzi");
    if (strimzi.isPresent()) {
      return List.of(PodSelection.strimzi(strimzi.get()));
    }
    var selections = new ArrayList<PodSelection>();
    for (var each : kubernetes.entries("pods")) {
      var labels = new TreeMap<>(each.pairs("labels"));
      var roles = each.texts("roles").map(RollBinding::roles);
      if (!labels.isEmpty() && roles.isPresent() && !roles.get().isEmpty()) {
        selections.add(new PodSelection(labels, roles.get(), nodeId(each)));
      }
    }
    return selections;
  }

  private static NodeId nodeId(Entry selection) {
    return selection
        .text("nodeIdLabel")
        .<NodeId>map(NodeId.Label::new)
        .or(() -> selection.text("nodeIdAnnotation").map(NodeId.Annotation::new))
        .orElseGet(() -> new NodeId.Ordinal(selection.integer("nodeIdOffset").orElse(0)));
  }

  private Optional<ConfigurationSource> configuration() {
    if (!kubernetes.has("configuration")) {
      return Optional.empty();
    }
    var configuration = kubernetes.entry("configuration");
    var secret = configuration.has("secret");
    var name = configuration.text(secret ? "secret" : "configMap");
    var key = configuration.text("key");
    return name.isPresent() && key.isPresent()
        ? Optional.of(new ConfigurationSource(secret, name.get(), key.get()))
        : Optional.empty();
  }
}
