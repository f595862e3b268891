package dev.sluice.kubernetes;

import static java.util.Objects.requireNonNullElse;

import dev.sluice.kubernetes.Api.Kind;
import dev.sluice.kubernetes.LeaseRule.Verdict;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.function.Consumer;

/** Wants the lease of one cluster. Used by one thread. */
public final class LeaseWatch {

  /** How long a lease lasts that is not renewed. */
  public static final Duration DURATION = Duration.ofSeconds(30);

  /** Between attempts to take it. */
  public static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(2);

  private final Api api;
  private final String name;
  private final String me;
  private final Duration duration;
  private String first = "";
  private String last = "";
  private long lastChanged;
  private String holder = "";

  LeaseWatch(Api api, String clusterId, String me, Duration duration) {
    this.api = api;
    this.name = RollNames.of(clusterId);
    this.me = me;
    this.duration = duration;
  }

  /** Who held it when it was looked at last; empty when nobody did. */
  public String holder() {
    return holder;
  }

  /**
   * Takes it if it is free.
   *
   * @param lost is told once why it is no longer ours, by a thread of the lease
   * @return empty while it is not known to be free
   * @throws HeldException if its holder renewed it since the first attempt
   */
  public Optional<RollLease> attempt(Consumer<String> lost) throws IOException {
    Optional<Lease> found = api.get(Kind.LEASES, name, Lease.class);
    if (found.isEmpty()) {
      return written(
          () -> api.create(Kind.LEASES, ours(new LeaseBuilder().build()), Lease.class), lost);
    }
    LeaseRule rule = rule(found.get());
    holder = rule.holder();
    if (first.isEmpty()) {
      first = rule.version();
    }
    if (!rule.version().equals(last)) {
      last = rule.version();
      lastChanged = System.nanoTime();
    }
    Verdict verdict = rule.judge(me, first, Duration.ofNanos(System.nanoTime() - lastChanged));
    return switch (verdict) {
      case UNDECIDED -> Optional.empty();
      case HELD -> {
        first = "";
        throw new HeldException(
            "expected that nobody else rolls this cluster, found that %s holds the lease %s; wait for it, or stop it"
                .formatted(rule.holder(), name));
      }
      case FREE -> written(() -> api.replace(Kind.LEASES, ours(found.get()), Lease.class), lost);
    };
  }

  @FunctionalInterface
  private interface Write {
    Lease write() throws ApiException;
  }

  private Optional<RollLease> written(Write write, Consumer<String> lost) throws IOException {
    long asked = System.nanoTime();
    try {
      Lease lease = write.write();
      holder = me;
      return Optional.of(RollLease.hold(api, lease, me, duration, asked, lost));
    } catch (ApiException e) {
      if (e.code() == ApiException.CONFLICT) {
        return Optional.empty(); // somebody was faster
      }
      throw e;
    }
  }

  private Lease ours(Lease before) {
    ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
    var spec = before.getSpec();
    int transitions = spec == null ? 0 : requireNonNullElse(spec.getLeaseTransitions(), 0);
    return new LeaseBuilder(before)
        .editOrNewMetadata()
        .withName(name)
        .withNamespace(api.namespace())
        .endMetadata()
        .editOrNewSpec()
        .withHolderIdentity(me)
        .withAcquireTime(now)
        .withRenewTime(now)
        .withLeaseDurationSeconds((int) Math.max(1, duration.toSeconds()))
        .withLeaseTransitions(transitions + 1)
        .endSpec()
        .build();
  }

  private static LeaseRule rule(Lease lease) {
    var spec = lease.getSpec();
    String holder = spec == null ? "" : requireNonNullElse(spec.getHolderIdentity(), "");
    int seconds = spec == null ? 0 : requireNonNullElse(spec.getLeaseDurationSeconds(), 0);
    return new LeaseRule(
        holder, lease.getMetadata().getResourceVersion(), Duration.ofSeconds(seconds));
  }

  /** Another roller acts on the cluster. */
  public static final class HeldException extends IOException {
    private static final long serialVersionUID = 1L;

    HeldException(String message) {
      super(message);
    }
  }
}
