package dev.sluice.app.configuration;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What holds for as long as the process runs: a reload that changes it is refused. */
public final class FixedSections {

  private static final Map<String, Function<Configuration, Object>> SECTIONS = sections();

  private FixedSections() {}

  /** The paths of what differs and cannot, in the order of the documentation. */
  public static List<String> changed(Configuration running, Configuration asked) {
    return SECTIONS.entrySet().stream()
        .filter(one -> !one.getValue().apply(running).equals(one.getValue().apply(asked)))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static Map<String, Function<Configuration, Object>> sections() {
    var sections = new LinkedHashMap<String, Function<Configuration, Object>>();
    sections.put("management.bindAddress", c -> c.management().bindAddress());
    sections.put("management.port", c -> c.management().port());
    sections.put("management.tls", c -> c.management().tls().isPresent());
    sections.put("management.tokenFile", c -> c.management().tokenFile());
    sections.put("management.readiness", c -> c.management().readiness());
    sections.put("management.endpoints.prometheus", c -> c.management().prometheus());
    sections.put("shutdown.closePortsFirst", c -> c.proxy().closePortsFirst());
    sections.put("network.proxy.workerThreadCount", c -> c.proxy().network().workerThreads());
    sections.put("network.proxy.shutdownTimeout", c -> c.proxy().network().shutdownTimeout());
    sections.put("network.proxy.idleTimeout", c -> c.proxy().network().idleTimeout());
    sections.put(
        "network.proxy.unauthenticatedIdleTimeout",
        c -> c.proxy().network().unauthenticatedIdleTimeout());
    sections.put("network.proxy.progressTimeout", c -> c.proxy().network().progressTimeout());
    sections.put("network.proxy.connectTimeout", c -> c.proxy().network().connectTimeout());
    sections.put(
        "network.proxy.tlsHandshakeTimeout", c -> c.proxy().network().tlsHandshakeTimeout());
    sections.put(
        "network.proxy.repeatedLogInterval", c -> c.proxy().network().repeatedLogInterval());
    sections.put("proxy.onVirtualClusterFailure.serve", c -> c.proxy().onFailure().serve());
    sections.put("proxy.onVirtualClusterFailure.retry", c -> c.proxy().onFailure().retry());
    sections.put("proxy.onVirtualClusterFailure.escalate", Configuration::escalation);
    return Collections.unmodifiableMap(sections);
  }
}
