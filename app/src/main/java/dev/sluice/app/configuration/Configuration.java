package dev.sluice.app.configuration;

import dev.sluice.proxy.GatewaySpec;
import dev.sluice.proxy.ProxySpec;
import dev.sluice.proxy.VirtualClusterSpec;
import dev.sluice.proxy.tls.TlsSpec;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A configuration in which no error was found.
 *
 * @param management where the proxy is watched and told what to do
 * @param proxy what the proxy serves
 * @param escalation whom to tell when a virtual cluster fails
 * @param reload how the next one takes its place
 */
public record Configuration(
    ManagementSpec management,
    ProxySpec proxy,
    Optional<EscalationSpec> escalation,
    ReloadSpec reload) {

  /**
   * The files that it names and whose content is a part of it, each with the digest of what was in
   * it when it was read.
   */
  public SortedMap<Path, String> namedFiles() {
    var files = new TreeMap<Path, String>();
    management.tls().ifPresent(tls -> files.putAll(tls.digests()));
    proxy.virtualClusters().stream()
        .flatMap(Configuration::tls)
        .forEach(tls -> files.putAll(tls.digests()));
    return Collections.unmodifiableSortedMap(files);
  }

  private static Stream<TlsSpec> tls(VirtualClusterSpec cluster) {
    return Stream.concat(
        cluster.upstreamTls().stream(),
        cluster.gateways().stream().map(GatewaySpec::tls).flatMap(Optional::stream));
  }
}
