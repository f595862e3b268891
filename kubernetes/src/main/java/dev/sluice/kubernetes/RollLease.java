package dev.sluice.kubernetes;

import static java.util.Objects.requireNonNullElse;

import dev.sluice.kubernetes.Api.Kind;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.io.Closeable;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to act on one Kafka cluster, among all rollers that use its namespace. Renewed by a
 * thread of its own until it is closed or lost; given up well before others may take it. Any thread
 * may ask whether it is held.
 */
public final class RollLease implements Right, Closeable {

  /** Renewed that often in its duration. */
  private static final int RENEWALS = 5;

  /** We stop believing in it after that part of its duration, and others at its end. */
  private static final double TRUSTED = 2.0 / 3;

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);
  private static final Logger LOG = LoggerFactory.getLogger(RollLease.class);

  private final Api api;
  private final String me;
  private final Duration duration;
  private final Consumer<String> onLost;
  private final Thread thread;
  private Lease lease;
  private volatile long trustedUntil;
  private volatile boolean over;

  private RollLease(
      Api api, Lease lease, String me, Duration duration, long asked, Consumer<String> onLost) {
    this.api = api;
    this.lease = lease;
    this.me = me;
    this.duration = duration;
    this.onLost = onLost;
    this.trustedUntil = trusted(asked);
    this.thread = Thread.ofVirtual().name("roll-lease").unstarted(this::renew);
  }

  /**
   * Holds what was just written.
   *
   * @param asked when the request for it was sent, of {@link System#nanoTime}
   */
  static RollLease hold(
      Api api, Lease lease, String me, Duration duration, long asked, Consumer<String> lost) {
    RollLease held = new RollLease(api, lease, me, duration, asked, lost);
    held.thread.start();
    return held;
  }

  @Override
  public boolean held() {
    return !over && System.nanoTime() - trustedUntil < 0;
  }

  private long trusted(long asked) {
    return asked + (long) (duration.toNanos() * TRUSTED);
  }

  private void renew() {
    try {
      while (!over) {
        Thread.sleep(duration.dividedBy(RENEWALS));
        if (!over) {
          renewOnce();
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // closed
    }
  }

  private void renewOnce() {
    long asked = System.nanoTime();
    try {
      lease = api.replace(Kind.LEASES, renewed(lease, me), Lease.class);
      trustedUntil = trusted(asked);
    } catch (ApiException e) {
      LOG.atWarn().addKeyValue("why", e.getMessage()).log("Lease not renewed");
      if (e.code() == ApiException.CONFLICT || e.code() == ApiException.NOT_FOUND) {
        lookAgain();
      } else {
        lostWhenOver("it could not be renewed: " + e.getMessage());
      }
    } catch (RuntimeException e) {
      LOG.atWarn()
          .setCause(e)
          .log("Lease not renewed after a defect of the roller, or of its client");
      lostWhenOver("it could not be renewed: " + e.getMessage());
    }
  }

  private void lostWhenOver(String why) {
    if (!held()) {
      lost(why);
    }
  }

  /** Somebody wrote it: a person who put a label on it, or whoever took it. */
  private void lookAgain() {
    try {
      var found = api.get(Kind.LEASES, lease.getMetadata().getName(), Lease.class);
      String holder =
          found.isEmpty() || found.get().getSpec() == null
              ? ""
              : requireNonNullElse(found.get().getSpec().getHolderIdentity(), "");
      if (found.isPresent() && holder.equals(me)) {
        lease = found.get();
      } else {
        lost(holder.isEmpty() ? "somebody took it away" : holder + " took it");
      }
    } catch (ApiException e) {
      LOG.atWarn().addKeyValue("why", e.getMessage()).log("Lease not read");
      lostWhenOver("it was written by somebody, and could not be read: " + e.getMessage());
    }
  }

  private void lost(String why) {
    over = true;
    onLost.accept("the lease of this cluster was lost: " + why);
  }

  private static Lease renewed(Lease lease, String holder) {
    return new LeaseBuilder(lease)
        .editSpec()
        .withHolderIdentity(holder)
        .withRenewTime(ZonedDateTime.now(ZoneOffset.UTC))
        .endSpec()
        .build();
  }

  /** Gives it back, so that others need not wait for its end. */
  @Override
  public void close() {
    boolean ours = held();
    over = true;
    thread.interrupt();
    try {
      thread.join(CLOSE_LIMIT);
      if (ours) {
        api.replace(Kind.LEASES, renewed(lease, ""), Lease.class);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (ApiException e) {
      LOG.atInfo()
          .addKeyValue("why", e.getMessage())
          .log("Lease not given back; it ends by itself");
    }
  }
}
