package dev.sluice.embedded;

/** What a supervisor can be asked for. */
enum SupervisorVerb {
  /** The facts of all servers. */
  FACTS,
  /** Start a server unless it is alive. */
  START,
  /** Stop a server by SIGTERM, and by SIGKILL after the limit. */
  STOP,
  /** Stop and start; goes on when the one who asked is no more. */
  RESTART,
  /** End a server by SIGKILL. */
  KILL,
  /** SIGSTOP. */
  PAUSE,
  /** SIGCONT. */
  RESUME,
  /** End all servers and the supervisor. */
  END
}
