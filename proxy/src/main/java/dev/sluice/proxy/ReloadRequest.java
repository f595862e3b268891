package dev.sluice.proxy;

import dev.sluice.lifecycle.reload.ReloadPolicy;
import java.util.List;

/**
 * What the proxy is to run from now on. Whoever makes it has checked it, as a {@link ProxySpec}.
 *
 * @param virtualClusters all that there should be; what is not among them is removed
 */
public record ReloadRequest(List<VirtualClusterSpec> virtualClusters, ReloadPolicy policy) {

  public ReloadRequest {
    virtualClusters = List.copyOf(virtualClusters);
  }
}
