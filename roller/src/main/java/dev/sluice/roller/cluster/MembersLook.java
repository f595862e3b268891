package dev.sluice.roller.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.Node;

/** Reads who is in the cluster, from one kind of its end points. */
final class MembersLook {

  private MembersLook() {}

  /**
   * Looks.
   *
   * @param options which servers are wanted
   * @throws IOException if whoever answers there is another cluster: addresses are given anew, and
   *     clusters made anew
   */
  static Map<Integer, Node> of(
      Admin admin, DescribeClusterOptions options, String clusterId, Duration limit)
      throws IOException, ExecutionException, InterruptedException, TimeoutException {
    var described = admin.describeCluster(options.timeoutMs((int) limit.toMillis()));
    String found = KafkaAccess.get(described.clusterId(), limit);
    if (!clusterId.equals(found)) {
      throw new IOException("cluster " + found + " answers, and this roll is about " + clusterId);
    }
    Map<Integer, Node> members = new TreeMap<>();
    KafkaAccess.get(described.nodes(), limit).forEach(node -> members.put(node.id(), node));
    return members;
  }
}
