/**
 * What the roller does next, decided by pure functions. Stands on java.base alone: no clock, no
 * thread, no Kafka.
 */
module dev.sluice.planner {
  requires static transitive org.jspecify;

  exports dev.sluice.planner;
  exports dev.sluice.planner.configuration;
  exports dev.sluice.planner.reading;
}
