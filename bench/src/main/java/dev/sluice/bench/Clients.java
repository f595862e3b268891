package dev.sluice.bench;

import java.io.IOException;

/** The JVM with the clients, and how it reaches the broker without an arm. */
final class Clients {

  private final LoadProcess load;
  private final BenchCluster cluster;
  private int topics;

  Clients(LoadProcess load, BenchCluster cluster) {
    this.load = load;
    this.cluster = cluster;
  }

  LoadAnswer ask(LoadRequest request) throws IOException {
    return load.ask(request);
  }

  /** CPU time that they and the broker have used so far, in seconds. */
  double cpuSeconds() {
    return CpuClock.seconds(load.pid()) + CpuClock.seconds(cluster.brokerPid());
  }

  /** A request that is about no topic. */
  LoadAnswer ask(LoadRequest.Verb verb, RunningArm arm, int amount) throws IOException {
    return load.ask(
        new LoadRequest(
            verb,
            arm.bootstrapServers(),
            LoadRequest.PLAIN,
            arm.pid(),
            LoadRequest.PLAIN,
            Workload.Records.NONE,
            amount,
            0,
            LoadRequest.USUAL_LINGER_MILLIS));
  }

  /** A new topic. */
  Topic topic(Workload workload, RunningArm arm, int records) throws IOException {
    boolean secure = workload.upstream() == Upstream.TLS_BROKER;
    var request =
        new LoadRequest(
            LoadRequest.Verb.CREATE,
            arm.bootstrapServers(),
            secure ? cluster.keys().root().toString() : LoadRequest.PLAIN,
            arm.pid(),
            "bench-" + ++topics,
            workload.records(),
            records,
            0,
            LoadRequest.USUAL_LINGER_MILLIS);
    load.ask(direct(request));
    return new Topic(request);
  }

  private LoadRequest direct(LoadRequest request) {
    return new LoadRequest(
        request.verb(),
        cluster.bootstrapServers(),
        LoadRequest.PLAIN,
        0,
        request.topic(),
        request.records(),
        request.amount(),
        request.perSecond(),
        request.lingerMillis());
  }

  /** Goes when it is closed. */
  final class Topic implements AutoCloseable {
    private final LoadRequest request;

    private Topic(LoadRequest request) {
      this.request = request;
    }

    LoadAnswer ask(LoadRequest.Verb verb) throws IOException {
      return load.ask(request.as(verb));
    }

    /** For so many seconds, so many records in each. */
    LoadAnswer pace(int seconds, double perSecond, int lingerMillis) throws IOException {
      return load.ask(request.paced(seconds, perSecond, lingerMillis));
    }

    @Override
    public void close() throws IOException {
      load.ask(direct(request.as(LoadRequest.Verb.DELETE)));
    }
  }
}
