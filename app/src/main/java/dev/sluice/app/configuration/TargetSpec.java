package dev.sluice.app.configuration;

import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.tls.TlsSpec;
import java.util.List;
import java.util.Optional;

/**
 * A Kafka cluster behind virtual clusters.
 *
 * @param servers to bootstrap from; empty if something is wrong with them, which has been told
 * @param tls how they are spoken with; empty: in plain text
 */
record TargetSpec(List<Endpoint> servers, Optional<TlsSpec> tls) {

  static final TargetSpec NONE = new TargetSpec(List.of(), Optional.empty());

  TargetSpec {
    servers = List.copyOf(servers);
  }
}
