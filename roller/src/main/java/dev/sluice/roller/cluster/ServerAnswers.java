package dev.sluice.roller.cluster;

import dev.sluice.planner.reading.Fact;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.RecoveryReading;
import dev.sluice.roller.ServerSpec;

/** What became of {@link ServerQuestions}. */
record ServerAnswers(
    ServerSpec server,
    Fact<PlatformReading> platform,
    Fact<RecoveryReading> recovery,
    Fact<PortLook.Seen> port) {}
