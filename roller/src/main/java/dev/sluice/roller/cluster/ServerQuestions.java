package dev.sluice.roller.cluster;

import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.RecoveryReading;
import dev.sluice.roller.ServerSpec;
import dev.sluice.roller.cluster.Gathering.Asked;

/**
 * What was asked about one server, all of it on its way.
 *
 * @param port whether its port speaks Kafka, and what it says about its configuration
 */
record ServerQuestions(
    ServerSpec server,
    Asked<PlatformReading> platform,
    Asked<RecoveryReading> recovery,
    Asked<PortLook.Seen> port) {

  /** Waits for all of them, each until its deadline; called once. */
  ServerAnswers answers() throws InterruptedException {
    return new ServerAnswers(server, platform.answer(), recovery.answer(), port.answer());
  }
}
