package dev.sluice.app.configuration;

import dev.sluice.proxy.ProxySpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads configurations. */
public final class ConfigurationFile {

  /** Larger files are refused. */
  public static final int MAX_BYTES = 4 * 1024 * 1024;

  private final ConfigurationSchema schema;
  private final Function<String, Optional<String>> environment;

  /**
   * @param environment the value of a variable; empty if it is not set
   */
  public ConfigurationFile(
      ConfigurationSchema schema, Function<String, Optional<String>> environment) {
    this.schema = schema;
    this.environment = environment;
  }

  /** What became of a file. */
  public sealed interface Outcome {

    /** In the order of the document. */
    List<Finding> findings();

    /** No error was found; warnings may have been. */
    record Accepted(Configuration configuration, List<Finding> findings) implements Outcome {}

    /** At least one error was found. */
    record Rejected(List<Finding> findings) implements Outcome {}
  }

  /**
   * Reads a file. Never throws: that it cannot be read is a finding, too. Paths in it are relative
   * to its directory.
   */
  public Outcome read(Path file) {
    return switch (ReadText.of(file, MAX_BYTES)) {
      case ReadText.Text(var text, var directory) -> read(text, directory);
      case ReadText.Unreadable(var finding) -> new Outcome.Rejected(List.of(finding));
    };
  }

  /**
   * Reads the text of a file.
   *
   * @param directory to which paths in it are relative
   */
  public Outcome read(String text, Path directory) {
    var document = YamlDocument.read(text, environment);
    if (document.root().isMissingNode()) {
      return new Outcome.Rejected(document.findings().inOrder());
    }
    schema.judge(document);
    var configuration = bind(document, directory);
    var findings = document.findings().inOrder();
    return document.findings().anyError()
        ? new Outcome.Rejected(findings)
        : new Outcome.Accepted(configuration, findings);
  }

  private static Configuration bind(YamlDocument document, Path directory) {
    var root = Entry.root(document);
    var ports = new PortClaims(document.findings());
    var management = ManagementBinding.bind(root, directory);
    if (management.port() != 0) {
      ports.claim(
          "management.port",
          Optional.of(management.bindAddress()),
          management.port(),
          "the management API");
    }
    var network = NetworkBinding.bind(root);
    var tls = new TlsBinding(directory);
    var targets = new TargetBinding(root, tls);
    var filters = new FilterBinding(root);
    var clusters = new VirtualClusterBinding(targets, network, ports, filters, tls).bind(root);
    targets.warnOfUnused();
    filters.warnOfUnused();
    boolean portsFirst = root.entry("shutdown").flag("closePortsFirst").orElse(false);
    var proxy = new ProxySpec(network, FailureBinding.policy(root), portsFirst, clusters);
    return new Configuration(
        management, proxy, FailureBinding.escalation(root), ReloadBinding.bind(root));
  }
}
