package dev.sluice.kubernetes;

import static java.util.Objects.requireNonNullElse;

import dev.sluice.kubernetes.Api.Kind;
import dev.sluice.kubernetes.KubernetesSettings.ConfigurationSource;
import dev.sluice.planner.configuration.Desired;
import dev.sluice.planner.reading.Role;
import dev.sluice.roller.ServerSpec;
import dev.sluice.roller.cluster.DesiredConfiguration;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The desired configuration of servers, in ConfigMaps or Secrets: as an annotation of the pod or of
 * its owner says, or else as the settings do. With neither, nobody compares. Thread-safe.
 */
final class DesiredFromCluster implements DesiredConfiguration {

  /** What was read is used for all servers of one look. */
  private static final Duration SHARED = Duration.ofSeconds(1);

  private static final int SOURCES_MAX = 2_000;

  private final Api api;
  private final SnapshotReader reader;
  private final KubernetesSettings settings;
  private final Set<String> ignored;
  private final Map<Source, Read> last = new ConcurrentHashMap<>();

  /**
   * @param ignored keys that never count
   */
  DesiredFromCluster(
      Api api, SnapshotReader reader, KubernetesSettings settings, Set<String> ignored) {
    this.api = api;
    this.reader = reader;
    this.settings = settings;
    this.ignored = Set.copyOf(ignored);
  }

  private record Source(boolean secret, String name) {}

  private record Read(Map<String, String> data, long at) {}

  @Override
  public Optional<Desired> of(ServerSpec server) throws IOException {
    Optional<ConfigurationSource> source;
    try {
      source = source(server, reader.read());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return source.isEmpty() ? Optional.empty() : Optional.of(read(source.get()));
  }

  private Optional<ConfigurationSource> source(ServerSpec server, Snapshot now) throws IOException {
    Optional<PodFacts> pod = now.podOf(server.id());
    Optional<String> told =
        pod.map(found -> found.annotations().get(Annotations.CONFIGURATION))
            .or(
                () ->
                    pod.flatMap(now::ownerOf)
                        .map(owner -> owner.annotations().get(Annotations.CONFIGURATION)));
    if (told.isPresent()) {
      return Optional.of(filled(parsed(told.get()), server, pod));
    }
    return settings.configuration().map(each -> filled(each, server, pod));
  }

  private static ConfigurationSource parsed(String text) throws IOException {
    String[] parts = text.strip().split("/", 3);
    boolean secret = parts[0].equalsIgnoreCase("secret");
    boolean known = secret || parts[0].equalsIgnoreCase("configmap");
    if (parts.length < 3 || !known) {
      throw new IOException(
          "expected configmap/NAME/KEY or secret/NAME/KEY in annotation %s, found '%s'"
              .formatted(Annotations.CONFIGURATION, Text.quoted(text)));
    }
    return new ConfigurationSource(secret, parts[1], parts[2]);
  }

  private static ConfigurationSource filled(
      ConfigurationSource source, ServerSpec server, Optional<PodFacts> pod) {
    return new ConfigurationSource(
        source.secret(), filled(source.name(), server, pod), filled(source.key(), server, pod));
  }

  private static String filled(String text, ServerSpec server, Optional<PodFacts> pod) {
    String role =
        !server.broker()
            ? "controller"
            : server.roles().contains(Role.CONTROLLER) ? "combined" : "broker";
    return text.replace("{id}", Integer.toString(server.id()))
        .replace("{role}", role)
        .replace("{pod}", pod.map(PodFacts::name).orElse(""));
  }

  private Desired read(ConfigurationSource source) throws IOException {
    Map<String, String> data = data(new Source(source.secret(), source.name()));
    String text = data.get(source.key());
    String where =
        "%s %s of namespace %s"
            .formatted(source.secret() ? "Secret" : "ConfigMap", source.name(), api.namespace());
    if (text == null) {
      throw new IOException(
          "expected key %s in %s, found %s".formatted(source.key(), where, data.keySet()));
    }
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IllegalArgumentException e) {
      throw new IOException("expected properties at " + source.key() + " in " + where, e);
    }
    TreeMap<String, String> values = new TreeMap<>();
    properties.forEach((key, value) -> values.put(key.toString(), value.toString()));
    return new Desired(values, ignored);
  }

  private Map<String, String> data(Source source) throws IOException {
    Read read = last.get(source);
    if (read != null && System.nanoTime() - read.at() < SHARED.toNanos()) {
      return read.data();
    }
    if (last.size() >= SOURCES_MAX) {
      last.clear();
    }
    Map<String, String> data = source.secret() ? secret(source.name()) : configMap(source.name());
    last.put(source, new Read(data, System.nanoTime()));
    return data;
  }

  private Map<String, String> configMap(String name) throws IOException {
    return api.get(Kind.CONFIG_MAPS, name, ConfigMap.class)
        .map(found -> requireNonNullElse(found.getData(), Map.<String, String>of()))
        .orElseThrow(() -> missing("ConfigMap", name));
  }

  private Map<String, String> secret(String name) throws IOException {
    Map<String, String> encoded =
        api.get(Kind.SECRETS, name, Secret.class)
            .map(found -> requireNonNullElse(found.getData(), Map.<String, String>of()))
            .orElseThrow(() -> missing("Secret", name));
    Map<String, String> plain = new TreeMap<>();
    encoded.forEach(
        (key, value) ->
            plain.put(key, new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8)));
    return plain;
  }

  private IOException missing(String kind, String name) {
    return new IOException(
        "expected %s %s in namespace %s with the desired configuration, found none"
            .formatted(kind, name, api.namespace()));
  }
}
