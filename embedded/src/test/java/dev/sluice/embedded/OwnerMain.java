package dev.sluice.embedded;

/** A process that starts a cluster, says where it lives, and stays until somebody ends it. */
final class OwnerMain {

  private OwnerMain() {}

  public static void main(String[] arguments) throws Exception {
    var cluster = EmbeddedCluster.start(ClusterPlan.combined(1));
    System.out.println(cluster.folder());
    while (System.in.read() >= 0) {
      // Stays until its input ends, and then ends without closing the cluster.
    }
  }
}
