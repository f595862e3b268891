package dev.sluice.lifecycle.quiet;

import java.util.List;
import java.util.SortedSet;

/**
 * How far the marking of one client's connections has come, node by node. A value.
 *
 * @param ahead the nodes whose connections are not marked yet, in order
 * @param pacing how fast it goes on
 * @param waitsRanOut how often the client had not come back to a node before the next one
 */
public record Tour(
    Link.ClientKey client, List<Stop> ahead, Standing standing, Pacing pacing, int waitsRanOut) {

  public Tour {
    ahead = List.copyOf(ahead);
  }

  /** When whatever is ahead is marked at once, in nanoseconds. */
  long markBy() {
    return pacing.markBy();
  }

  /** Whether all connections of the client are marked. */
  public boolean isDone() {
    return standing instanceof Standing.Done;
  }

  /** All connections of the client to one node. */
  public record Stop(int node, List<Long> connections) {
    public Stop {
      connections = List.copyOf(connections);
    }
  }

  /** What is waited for. */
  public sealed interface Standing {

    /** Its turn: clients begin a little apart. */
    record NotBegun(long beginAt) implements Standing {}

    /**
     * The connections to a node are marked, and have to close.
     *
     * @param open those that have not
     * @param returned whether the client has been answered at that node by the new generation
     * @param until when the next node comes whatever happens
     */
    record Closing(int node, SortedSet<Long> open, boolean returned, long until)
        implements Standing {}

    /** They are closed; the client has to come back to that node and get an answer. */
    record AwaitingReturn(int node, long until) implements Standing {}

    /** It is back, and was answered: it has a moment to take notice. */
    record Settling(long until) implements Standing {}

    /** Nothing: all is marked. */
    record Done() implements Standing {}
  }
}
