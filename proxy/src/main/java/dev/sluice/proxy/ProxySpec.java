package dev.sluice.proxy;

import dev.sluice.lifecycle.FailurePolicy;
import java.util.List;

/**
 * Everything that the proxy is told. Whoever makes it has checked it: names are unique, ports do
 * not collide.
 *
 * @param network threads and time-outs of the whole proxy
 * @param onFailure what follows when a virtual cluster fails
 * @param virtualClusters in the order of the configuration
 */
public record ProxySpec(
    NetworkSpec network, FailurePolicy onFailure, List<VirtualClusterSpec> virtualClusters) {

  public ProxySpec {
    virtualClusters = List.copyOf(virtualClusters);
  }
}
