package dev.sluice.audit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What an audit is to do. A value: every {@code with…} answers a changed copy.
 *
 * @param bootstrapServers where the clients begin
 * @param witnessServers where the audit makes its topics and reads them at the end; the same
 *     address unless what stands between is not to be trusted with the proof
 * @param clients which clients: see {@link Selection}
 * @param load how much each producer sends
 * @param partitions of each topic
 * @param warmLimit how long all of {@link WarmUp} may take
 * @param programs the folder in which clients in other languages were set up, if they were
 * @param settings of the Java clients besides their own, such as those of TLS
 * @param security of the clients in other languages; empty: plain text
 * @param names a part of the names of all topics, groups and transactional ids; empty: one that no
 *     other audit has
 */
public record AuditPlan(
    String bootstrapServers,
    String witnessServers,
    Selection clients,
    Load load,
    int partitions,
    Duration warmLimit,
    Optional<Path> programs,
    Map<String, String> settings,
    Optional<ClientSecurity> security,
    Optional<String> names) {

  private static final int PARTITIONS = 3;
  private static final Duration WARM_LIMIT = Duration.ofMinutes(4);

  /** The Java clients at the default load. */
  public static AuditPlan of(String bootstrapServers) {
    return new AuditPlan(
        bootstrapServers,
        bootstrapServers,
        Selection.JAVA,
        Load.DEFAULT,
        PARTITIONS,
        WARM_LIMIT,
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Optional.empty());
  }

  /** With a way for the witness that leads past what is audited. */
  public AuditPlan withWitness(String servers) {
    return changed(draft -> draft.witnessServers = servers);
  }

  public AuditPlan withClients(Selection selection) {
    return changed(draft -> draft.clients = selection);
  }

  public AuditPlan withLoad(Load other) {
    return changed(draft -> draft.load = other);
  }

  public AuditPlan withPartitions(int count) {
    return changed(draft -> draft.partitions = count);
  }

  /** With clients in other languages, as {@code audit/clients/setup} made them in this folder. */
  public AuditPlan withPrograms(Path folder) {
    return changed(draft -> draft.programs = Optional.of(folder));
  }

  /** With Java clients that are set up like this, and a witness that is not. */
  public AuditPlan withSettings(Map<String, String> ofClients) {
    return changed(draft -> draft.settings = Map.copyOf(ofClients));
  }

  /** With clients in other languages that prove who they are. */
  public AuditPlan withSecurity(ClientSecurity ofPrograms) {
    return changed(draft -> draft.security = Optional.of(ofPrograms));
  }

  /** With names that another audit may have, too, where they are not the same there. */
  public AuditPlan withNames(String part) {
    return changed(draft -> draft.names = Optional.of(part));
  }

  private AuditPlan changed(Consumer<Draft> change) {
    var draft = new Draft(this);
    change.accept(draft);
    return draft.plan(this);
  }

  /** What can be another in a copy. */
  private static final class Draft {
    private String witnessServers;
    private Selection clients;
    private Load load;
    private int partitions;
    private Optional<Path> programs;
    private Map<String, String> settings;
    private Optional<ClientSecurity> security;
    private Optional<String> names;

    Draft(AuditPlan plan) {
      witnessServers = plan.witnessServers;
      clients = plan.clients;
      load = plan.load;
      partitions = plan.partitions;
      programs = plan.programs;
      settings = plan.settings;
      security = plan.security;
      names = plan.names;
    }

    AuditPlan plan(AuditPlan before) {
      return new AuditPlan(
          before.bootstrapServers,
          witnessServers,
          clients,
          load,
          partitions,
          before.warmLimit,
          programs,
          settings,
          security,
          names);
    }
  }
}
