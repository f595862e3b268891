package dev.sluice.proxy;

import dev.sluice.lifecycle.FailurePolicy;
import java.util.List;

/**
 * Everything that the proxy is told. Whoever makes it has checked it: names are unique, ports do
 * not collide.
 *
 * @param network threads and time-outs of the whole proxy
 * @param onFailure what follows when a virtual cluster fails
 * @param closePortsFirst whether a shutdown closes ports before connections, for load balancers
 *     that look at the port; clients are noisier about it
 * @param virtualClusters in the order of the configuration
 */
public record ProxySpec(
    NetworkSpec network,
    FailurePolicy onFailure,
    boolean closePortsFirst,
    List<VirtualClusterSpec> virtualClusters) {

  public ProxySpec {
    virtualClusters = List.copyOf(virtualClusters);
  }

  /** A shutdown closes ports when the connections are gone. */
  public ProxySpec(
      NetworkSpec network, FailurePolicy onFailure, List<VirtualClusterSpec> virtualClusters) {
    this(network, onFailure, false, virtualClusters);
  }
}
