package dev.sluice.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * What a virtual cluster is doing. Exactly one at any time; a value that holds facts, never a
 * handle, a timer or a future. Health of anything upstream is not in it.
 */
public sealed interface ClusterState {

  /** The generation that this state is about; from 1. */
  int generation();

  /** The name in tables, metrics and the API. */
  default Kind kind() {
    return switch (this) {
      case Initializing _ -> Kind.INITIALIZING;
      case Serving _ -> Kind.SERVING;
      case Draining _ -> Kind.DRAINING;
      case Failed _ -> Kind.FAILED;
      case Stopped _ -> Kind.STOPPED;
    };
  }

  /** Whether a reload of it is under way: what asks for something else has to wait. */
  default boolean isUnderReload() {
    return switch (this) {
      case Initializing now -> !(now.setUp() instanceof SetUp.Fresh);
      case Serving now -> !(now.change() instanceof Change.None);
      case Draining now -> now.purpose() instanceof Purpose.Reload;
      case Failed _, Stopped _ -> false;
    };
  }

  /** The five names. */
  enum Kind {
    INITIALIZING,
    SERVING,
    DRAINING,
    FAILED,
    STOPPED;

    /** As people and metrics see it: lower case. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Being set up; serves nobody.
   *
   * @param attempt from 1; counts the set-ups of this generation since somebody last asked for it
   * @param setUp how it came to be set up, and what there is to go back to
   * @param barrier whether it may serve as soon as it is prepared
   */
  record Initializing(int generation, int attempt, SetUp setUp, Barrier barrier)
      implements ClusterState {}

  /** Set up; connections are handled. {@code change}: what a reload is doing beside it. */
  record Serving(int generation, Change change) implements ClusterState {}

  /**
   * Nobody new is served; what is there is quiesced, until {@code deadline} at the latest.
   *
   * @param generation the one that is quiesced
   */
  record Draining(int generation, Purpose purpose, Instant deadline) implements ClusterState {}

  /**
   * Not viable; holds nothing but the reason.
   *
   * @param recovery whether and when it is tried again by itself; exhausted is a fact of this state
   * @param barrier whether it may serve, once retried, as soon as it is prepared
   */
  record Failed(Failure failure, Recovery recovery, Barrier barrier) implements ClusterState {

    /** The generation that a retry sets up. */
    @Override
    public int generation() {
      return failure.generation();
    }

    /** How often it was tried since somebody last asked for it. */
    public int attempts() {
      return failure.attempt();
    }
  }

  /**
   * Terminal: nothing moves it.
   *
   * @param failure the prior failure, if it was stopped out of {@link Failed}
   */
  record Stopped(int generation, Ending ending, Optional<Failure> failure)
      implements ClusterState {}

  /** How a cluster came to be set up. */
  sealed interface SetUp {

    /** From nothing: first boot, a retry, a configuration that replaces one that never served. */
    record Fresh() implements SetUp {}

    /**
     * The drain of a reload is complete.
     *
     * @param retained the generation that served before; kept whole until this one serves
     * @param until clients that arrive are held until then
     */
    record AfterDrain(int retained, Fallback fallback, Instant until) implements SetUp {}

    /**
     * The new generation could not be installed: the retained one is brought back.
     *
     * @param cause why the new one is given up
     * @param until clients that arrive are held until then
     */
    record RollBack(Failure cause, Instant until) implements SetUp {}

    /** How long beyond the deadline of its drain a reload may keep clients waiting. */
    Duration HOLD_BEYOND_DRAIN = Duration.ofSeconds(5);
  }

  /** Where the cluster stands with the start-up barrier of {@code serve: none}. */
  enum Barrier {
    /** None: it serves as soon as it is prepared. */
    OPEN,
    /** It is not prepared yet and will wait for the others. */
    CLOSED,
    /** It is prepared and waits for the others. */
    REACHED
  }

  /** What a reload is doing beside a serving generation. */
  sealed interface Change {

    /** Nothing: no reload. */
    record None() implements Change {}

    /** The next generation is being prepared beside the serving one. */
    record Preparing(int generation) implements Change {}

    /** The next generation is prepared and waits for the word to switch. */
    record Ready(int generation) implements Change {}

    /**
     * The former generation is left, connection by connection.
     *
     * @param generation the former one
     * @param deadline what is still on it then is cut
     */
    record Leaving(int generation, Way way, Instant deadline) implements Change {}

    /** No reload. */
    Change NONE = new None();
  }

  /** How a new generation takes over. */
  enum Way {
    /** On the same connections, each at a moment when nothing of it is in flight. */
    IN_PLACE,
    /** The new one serves who arrives; connections of the old one are quiesced and come back. */
    HANDOVER,
    /** Nobody is served by the new one before nobody is served by the old one. */
    DRAIN
  }

  /** What to do if a generation cannot be installed after its drain. */
  enum Fallback {
    /** Go back to the generation that served before. */
    ROLL_BACK,
    /** Keep the new one, fail with it, retry it. */
    KEEP_NEW
  }

  /** Why a cluster drains; a stronger one takes the place of a weaker one. */
  sealed interface Purpose {

    /** Another generation waits, prepared. */
    record Reload(int next, Fallback fallback) implements Purpose {}

    /** A person asked. */
    record Person() implements Purpose {}

    /** It is no longer configured. */
    record Removal() implements Purpose {}

    /** The proxy shuts down. */
    record Shutdown() implements Purpose {}

    /** From 1, the weakest. */
    default int strength() {
      return switch (this) {
        case Reload _ -> 1;
        case Person _ -> 2;
        case Removal _ -> 3;
        case Shutdown _ -> 4;
      };
    }

    /** The name in tables and the API. */
    default String label() {
      return switch (this) {
        case Reload _ -> "reload";
        case Person _ -> "person";
        case Removal _ -> "removal";
        case Shutdown _ -> "shutdown";
      };
    }
  }

  /** Why a life is over. */
  enum Ending {
    /** It is no longer configured. */
    REMOVED,
    /** A person drained it. */
    DRAINED,
    /** The proxy shut down. */
    SHUT_DOWN;

    /** The name in tables and the API. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }
}
