package dev.sluice.roller.cluster;

import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.RecoveryReading;
import dev.sluice.roller.ServerSpec;
import dev.sluice.roller.cluster.Gathering.Asked;
import java.util.Optional;

/**
 * What was asked about one server, all of it on its way.
 *
 * @param port whether its port speaks Kafka, and what it says about its configuration; empty before
 *     its address is known
 */
record ServerQuestions(
    ServerSpec server,
    Asked<PlatformReading> platform,
    Asked<RecoveryReading> recovery,
    Optional<Asked<PortLook.Seen>> port) {

  ServerQuestions withPort(Asked<PortLook.Seen> asked) {
    return new ServerQuestions(server, platform, recovery, Optional.of(asked));
  }

  /** Waits for all of them, each until its deadline; called once, when all were asked. */
  ServerAnswers answers() throws InterruptedException {
    return new ServerAnswers(
        server, platform.answer(), recovery.answer(), port.orElseThrow().answer());
  }
}
