package dev.sluice.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One server of a running cluster. Commands are obeyed by the supervisor, one after the other, and
 * answer the facts after it; none waits until a started server serves, see {@link
 * EmbeddedCluster#awaitReady}. Thread-safe.
 *
 * <p>Every command throws {@link java.io.UncheckedIOException} when the supervisor is no more or
 * refuses, with its reason.
 */
public final class EmbeddedServer {

  /** How long a server may take to stop before it is killed, unless the caller says otherwise. */
  public static final Duration STOP_LIMIT = Duration.ofSeconds(30);

  private final ServerFolder folder;
  private final SupervisorClient supervisor;

  EmbeddedServer(ServerFolder folder, SupervisorClient supervisor) {
    this.folder = folder;
    this.supervisor = supervisor;
  }

  /** Kafka's {@code node.id}. */
  public int id() {
    return folder.id();
  }

  public Set<Role> roles() {
    return Arrays.stream(property("process.roles").split(","))
        .map(name -> Role.valueOf(name.toUpperCase(Locale.ROOT)))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Where clients connect, as {@code host:port}; empty if it is no broker. */
  public Optional<String> brokerAddress() {
    return address(ServerProperties.CLIENT_LISTENER);
  }

  /** Where clients connect to a further listener; empty if it has none of that name. */
  public Optional<String> brokerAddress(String listener) {
    return address(listener);
  }

  /** Where the quorum and controller clients connect; empty if it is no controller. */
  public Optional<String> controllerAddress() {
    return address(ServerProperties.CONTROLLER_LISTENER);
  }

  /** Kafka's own log, kept over restarts, bounded to 30 MB. */
  public Path logFile() {
    return folder.log();
  }

  /** What its JVM wrote outside that log. */
  public Path outputFile() {
    return folder.output();
  }

  /** The last lines of output and log, at most so many of each. */
  public List<String> lastLogLines(int most) {
    return folder.lastLines(most);
  }

  /** The last lines of output and log that tell of errors, at most so many. */
  public List<String> lastErrorLines(int most) {
    return folder.lastErrors(most);
  }

  public ServerFacts facts() {
    return supervisor.facts().stream()
        .filter(facts -> facts.id() == id())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("Expected facts of server " + id()));
  }

  public boolean alive() {
    return facts().alive();
  }

  /** The process id of the last JVM started. */
  public long pid() {
    return facts().pid();
  }

  /** Starts it unless it is alive. */
  public ServerFacts start() {
    return ask(SupervisorVerb.START, Duration.ZERO);
  }

  /** {@link #stop(Duration)} within {@link #STOP_LIMIT}. */
  public ServerFacts stop() {
    return stop(STOP_LIMIT);
  }

  /** Stops it by SIGTERM and waits until it is gone; after the limit it is killed. */
  public ServerFacts stop(Duration limit) {
    return ask(SupervisorVerb.STOP, limit);
  }

  /** {@link #restart(Duration)} within {@link #STOP_LIMIT}. */
  public ServerFacts restart() {
    return restart(STOP_LIMIT);
  }

  /**
   * Stops and starts it, even if the caller ends meanwhile.
   *
   * @param limit how long the stop may take before the server is killed
   */
  public ServerFacts restart(Duration limit) {
    return ask(SupervisorVerb.RESTART, limit);
  }

  /** As {@code kill -9}; returns when it is gone. */
  public ServerFacts kill() {
    return ask(SupervisorVerb.KILL, Duration.ZERO);
  }

  /** SIGSTOP: its connections stay and it is silent. */
  public ServerFacts pause() {
    return ask(SupervisorVerb.PAUSE, Duration.ZERO);
  }

  /** SIGCONT. */
  public ServerFacts resume() {
    return ask(SupervisorVerb.RESUME, Duration.ZERO);
  }

  /** Its properties as they are on disk, for the next start. */
  public Properties properties() {
    return PropertiesFile.read(folder.properties());
  }

  /** Sets properties for its next start; those not named stay. */
  public void changeProperties(Map<String, String> changes) {
    folder.changeProperties(changes);
  }

  private ServerFacts ask(SupervisorVerb verb, Duration limit) {
    return supervisor.ask(verb, id(), limit);
  }

  private String property(String name) {
    return PropertiesFile.required(folder.properties(), name);
  }

  private Optional<String> address(String listener) {
    String prefix = listener + "://";
    return Arrays.stream(property("listeners").split(","))
        .filter(one -> one.startsWith(prefix))
        .map(one -> one.substring(prefix.length()))
        .findFirst();
  }

  @Override
  public String toString() {
    return "server " + id();
  }
}
