package dev.sluice.audit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

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
    return new AuditPlan(
        bootstrapServers,
        servers,
        clients,
        load,
        partitions,
        warmLimit,
        programs,
        settings,
        security,
        names);
  }

  public AuditPlan withClients(Selection selection) {
    return new AuditPlan(
        bootstrapServers,
        witnessServers,
        selection,
        load,
        partitions,
        warmLimit,
        programs,
        settings,
        security,
        names);
  }

  public AuditPlan withLoad(Load other) {
    return new AuditPlan(
        bootstrapServers,
        witnessServers,
        clients,
        other,
        partitions,
        warmLimit,
        programs,
        settings,
        security,
        names);
  }

  public AuditPlan withPartitions(int count) {
    return new AuditPlan(
        bootstrapServers,
        witnessServers,
        clients,
        load,
        count,
        warmLimit,
        programs,
        settings,
        security,
        names);
  }

  /** With clients in other languages, as {@code audit/clients/setup} made them in this folder. */
  public AuditPlan withPrograms(Path folder) {
    return new AuditPlan(
        bootstrapServers,
        witnessServers,
        clients,
        load,
        partitions,
        warmLimit,
        Optional.of(folder),
        settings,
        security,
        names);
  }

  /** With Java clients that are set up like this, and a witness that is not. */
  public AuditPlan withSettings(Map<String, String> ofClients) {
    return new AuditPlan(
        bootstrapServers,
        witnessServers,
        clients,
        load,
        partitions,
        warmLimit,
        programs,
        Map.copyOf(ofClients),
        security,
        names);
  }

  /** With clients in other languages that prove who they are. */
  public AuditPlan withSecurity(ClientSecurity ofPrograms) {
    return new AuditPlan(
        bootstrapServers,
        witnessServers,
        clients,
        load,
        partitions,
        warmLimit,
        programs,
        settings,
        Optional.of(ofPrograms),
        names);
  }

  /** With names that another audit may have, too, where they are not the same there. */
  public AuditPlan withNames(String part) {
    return new AuditPlan(
        bootstrapServers,
        witnessServers,
        clients,
        load,
        partitions,
        warmLimit,
        programs,
        settings,
        security,
        Optional.of(part));
  }
}
