package dev.sluice.kubernetes;

import static org.awaitility.Awaitility.await;

import dev.sluice.kubernetes.PodRoll.Step;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Takes the lease of a roll at a step of it, and holds the roll there until it has noticed: so that
 * what it does then is done in the knowledge that the lease is lost.
 */
final class LeaseThief implements PodRoll.Witness {

  static final String NAME = "thief";

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final KubernetesClient admin;
  private final Step step;
  private final int occurrence;
  private final CountDownLatch noticed = new CountDownLatch(1);
  private int seen;
  private int acted;
  private int rightful = -1;

  LeaseThief(KubernetesClient admin, Step step, int occurrence) {
    this.admin = admin;
    this.step = step;
    this.occurrence = occurrence;
  }

  /** At a step that every roll of three servers comes to before it restarts the last of them. */
  static LeaseThief random(KubernetesClient admin, long seed) {
    var random = new Random(seed);
    List<Step> steps = List.copyOf(EnumSet.allOf(Step.class));
    Step step = steps.get(random.nextInt(steps.size()));
    int most =
        switch (step) {
          case LOOKED -> 6;
          case DECIDED, ACTING -> 3;
          case ABOUT_TO_END, ACTED -> 2;
        };
    return new LeaseThief(admin, step, 1 + random.nextInt(most));
  }

  /** Whoever holds it may renew it at the same moment: then once more. */
  static void take(KubernetesClient admin) {
    await("the lease is taken")
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(
            () ->
                admin
                    .leases()
                    .inNamespace(SimKubelet.NAMESPACE)
                    .withName(RollNames.of("c"))
                    .edit(LeaseThief::mine)
                    .getSpec()
                    .getHolderIdentity()
                    .equals(NAME));
  }

  private static Lease mine(Lease lease) {
    return new LeaseBuilder(lease).editSpec().withHolderIdentity(NAME).endSpec().build();
  }

  /** How many servers were rightfully restarted: those before, and the one under way. */
  int rightful() {
    return rightful;
  }

  @Override
  public void at(Step now) {
    seen += now == step ? 1 : 0;
    acted += now == Step.ACTED ? 1 : 0;
    if (rightful < 0 && seen == occurrence) {
      rightful = acted + (now == Step.ABOUT_TO_END ? 1 : 0);
      steal();
    }
  }

  private void steal() {
    take(admin);
    try {
      if (!noticed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("expected the roll to notice that its lease is taken");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void lost(String why) {
    noticed.countDown();
  }

  @Override
  public String toString() {
    return "the lease is taken at %s, time %d".formatted(step, occurrence);
  }
}
