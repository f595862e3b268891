package dev.sluice.planner.reading;

/** How far the platform has come with a server's process. */
public enum Phase {
  /** There is no such process. */
  ABSENT,
  /** It is being started: scheduled, its image fetched, its container made. */
  PENDING,
  /** The platform says itself that it cannot start: unschedulable, no image, crash loop. */
  CANNOT_START,
  /** There is a process. */
  RUNNING
}
