package dev.sluice.roller.cluster;

import dev.sluice.planner.configuration.ActualEntry;
import dev.sluice.planner.reading.QuorumReading;
import dev.sluice.planner.reading.QuorumReading.Replica;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.DescribeMetadataQuorumOptions;
import org.apache.kafka.clients.admin.QuorumInfo;

/** Reads the metadata quorum, as its leader describes it. */
final class QuorumLook {

  private static final String FETCH_TIMEOUT = "controller.quorum.fetch.timeout.ms";

  /** Kafka's default, for when the leader does not tell its own. */
  private static final Duration FETCH_TIMEOUT_DEFAULT = Duration.ofSeconds(2);

  private QuorumLook() {}

  static QuorumReading of(KafkaAccess kafka, Duration limit)
      throws ExecutionException, InterruptedException, TimeoutException {
    var options = new DescribeMetadataQuorumOptions().timeoutMs((int) limit.toMillis());
    QuorumInfo quorum =
        KafkaAccess.get(kafka.quorum().describeMetadataQuorum(options).quorumInfo(), limit);
    if (quorum.leaderId() < 0) {
      // One of them says so; that all of them do is more than it can know.
      throw new ExecutionException(
          new IllegalStateException(
              "there is no active controller, as far as the one asked knows"));
    }
    return new QuorumReading(
        OptionalInt.of(quorum.leaderId()),
        replicas(quorum.voters()),
        replicas(quorum.observers()),
        fetchTimeout(kafka, quorum.leaderId(), limit));
  }

  private static List<Replica> replicas(List<QuorumInfo.ReplicaState> states) {
    return states.stream()
        .map(
            state ->
                new Replica(
                    state.replicaId(),
                    new UUID(
                        state.replicaDirectoryId().getMostSignificantBits(),
                        state.replicaDirectoryId().getLeastSignificantBits()),
                    state.lastCaughtUpTimestamp().orElse(QuorumReading.NEVER)))
        .toList();
  }

  private static Duration fetchTimeout(KafkaAccess kafka, int leader, Duration limit)
      throws InterruptedException {
    try {
      ActualEntry entry = ConfigurationLook.of(kafka.quorum(), leader, limit).get(FETCH_TIMEOUT);
      return entry == null || entry.value() == null
          ? FETCH_TIMEOUT_DEFAULT
          : Duration.ofMillis(Long.parseLong(entry.value()));
    } catch (ExecutionException | TimeoutException | NumberFormatException _) {
      return FETCH_TIMEOUT_DEFAULT;
    }
  }
}
