package dev.sluice.app.configuration;

import dev.sluice.app.configuration.RollConfiguration.Compared;
import dev.sluice.app.configuration.RollConfiguration.Kafka;
import dev.sluice.app.configuration.RollConfiguration.Owner;
import dev.sluice.app.configuration.RollConfiguration.Recovery;
import dev.sluice.planner.configuration.Desired;
import dev.sluice.planner.reading.Role;
import dev.sluice.roller.LoopSettings;
import dev.sluice.roller.ServerSpec;
import dev.sluice.roller.platform.CommandPlatform;
import dev.sluice.roller.platform.CommandPlatform.Commands;
import dev.sluice.roller.platform.CommandTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** From the document of a roll to its record. */
final class RollBinding {

  private static final Duration DEFAULT_SHUTDOWN_LIMIT = Duration.ofMinutes(10);
  private static final Duration DEFAULT_LOOK_LIMIT = Duration.ofSeconds(8);
  private static final Duration DEFAULT_OBSERVATION_LIMIT = Duration.ofSeconds(10);
  private static final Duration DEFAULT_PROBE_LIMIT = Duration.ofSeconds(3);

  private final Entry root;
  private final Path directory;
  private final Function<String, Optional<String>> environment;

  RollBinding(Entry root, Path directory, Function<String, Optional<String>> environment) {
    this.root = root;
    this.directory = directory;
    this.environment = environment;
  }

  /** Empty when something that is needed has the wrong form, of which a finding tells. */
  Optional<RollConfiguration> bind() {
    var values = new TreeMap<Integer, Map<String, String>>();
    var held = new TreeSet<Integer>();
    var servers = servers(values, held);
    var platform = platform();
    var kafka = kafka();
    var policy = new RollPolicyBinding(root.entry("policy")).bind(held);
    if (platform.isEmpty() || kafka.isEmpty()) {
      return Optional.empty();
    }
    if (platform.get() instanceof Owner.Commanded
        && (servers.isEmpty() || servers.size() < root.entries("servers").size())) {
      root.error(
          root.has("servers") ? "servers" : "platform",
          "expected a list of all servers with their roles, which commands do not tell");
    }
    if (platform.get() instanceof Owner.Commanded(var commands)) {
      CommandPlatform.shared(commands, servers, values)
          .ifPresent(
              why ->
                  root.error(
                      "platform",
                      "expected a command of its own for each server, with {id} or one of its values, found that "
                          + why));
    }
    var loop = root.entry("policy");
    return Optional.of(
        new RollConfiguration(
            platform.get(),
            kafka.get(),
            servers,
            values,
            recovery(),
            compared(),
            policy,
            new LoopSettings(
                loop.duration("pause").orElse(LoopSettings.DEFAULT.pause()),
                loop.duration("quiet").orElse(LoopSettings.DEFAULT.quiet()),
                Optional.empty()),
            loop.duration("observationTimeout").orElse(DEFAULT_OBSERVATION_LIMIT),
            root.path("stateFolder", directory).orElseGet(this::stateFolder)));
  }

  private Path stateFolder() {
    var base =
        environment
            .apply("XDG_STATE_HOME")
            .filter(home -> home.startsWith("/"))
            .map(Path::of)
            .orElseGet(() -> Path.of(System.getProperty("user.home"), ".local", "state"));
    return base.resolve("sluice").resolve("rolls");
  }

  private Optional<Owner> platform() {
    var platform = root.entry("platform");
    if (platform.has("process")) {
      var process = platform.entry("process");
      return process
          .path("folder", directory)
          .map(
              folder ->
                  new Owner.Processes(
                      folder, process.duration("shutdownTimeout").orElse(DEFAULT_SHUTDOWN_LIMIT)));
    }
    if (platform.has("kubernetes")) {
      return new KubernetesBinding(platform.entry("kubernetes")).bind().map(Owner.Pods::new);
    }
    var command = platform.entry("command");
    var restart = template(command, "restart");
    var status = template(command, "status");
    if (restart.isEmpty() || status.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Owner.Commanded(
            new Commands(
                restart.get(),
                status.get(),
                template(command, "revision"),
                template(command, "log"),
                command.duration("statusTimeout").orElse(DEFAULT_LOOK_LIMIT),
                command.duration("restartTimeout").orElse(DEFAULT_SHUTDOWN_LIMIT))));
  }

  private static Optional<CommandTemplate> template(Entry command, String key) {
    return command
        .texts(key)
        .filter(words -> !words.isEmpty() && !words.getFirst().isBlank())
        .map(CommandTemplate::new);
  }

  private Optional<Kafka> kafka() {
    var kafka = root.entry("kafka");
    var properties = new TreeMap<String, String>();
    kafka.path("propertiesFile", directory).ifPresent(file -> properties.putAll(file(kafka, file)));
    properties.putAll(kafka.pairs("properties"));
    return kafka
        .text("bootstrapServers")
        .map(brokers -> new Kafka(brokers, kafka.text("bootstrapControllers"), properties));
  }

  private static Map<String, String> file(Entry kafka, Path file) {
    var properties = new Properties();
    try (var reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (IOException | IllegalArgumentException _) {
      kafka.error(
          "propertiesFile", "expected a readable file, found " + kafka.shown("propertiesFile"));
    }
    return properties.entrySet().stream()
        .collect(Collectors.toMap(e -> e.getKey().toString(), e -> e.getValue().toString()));
  }

  private List<ServerSpec> servers(
      SortedMap<Integer, Map<String, String>> values, Set<Integer> held) {
    var servers = new ArrayList<ServerSpec>();
    for (var server : root.entries("servers")) {
      var id = server.integer("id");
      if (id.isEmpty()) {
        continue;
      }
      if (values.put(id.get(), server.pairs("values")) != null) {
        server.error("id", "expected an id that no other server has, found " + id.get());
      }
      if (server.bool("hold").orElse(false)) {
        held.add(id.get());
      }
      server
          .texts("roles")
          .map(RollBinding::roles)
          .filter(roles -> !roles.isEmpty())
          .ifPresent(
              roles ->
                  servers.add(
                      new ServerSpec(
                          id.get(),
                          roles,
                          server.endpoint("address").map(at -> at.host() + ":" + at.port()))));
    }
    return servers;
  }

  static Set<Role> roles(List<String> texts) {
    var roles = new HashSet<Role>();
    for (var role : Role.values()) {
      if (texts.contains(role.name().toLowerCase(Locale.ROOT))) {
        roles.add(role);
      }
    }
    return roles;
  }

  private Recovery recovery() {
    var recovery = root.entry("recovery");
    var limit = recovery.duration("timeout").orElse(DEFAULT_PROBE_LIMIT);
    return recovery
        .text("agent")
        .<Recovery>map(address -> new Recovery.Agent(address, limit))
        .or(() -> recovery.text("jmx").map(address -> new Recovery.Jmx(address, limit)))
        .orElseGet(() -> new Recovery.OfPlatform(limit));
  }

  private Compared compared() {
    var configuration = root.entry("configuration");
    var ignored = new TreeSet<>(Desired.IDENTITY);
    configuration.texts("ignored").ifPresent(ignored::addAll);
    return new Compared(
        configuration.path("file", directory).map(Path::toString),
        ignored,
        configuration.bool("compare").orElse(true));
  }
}
