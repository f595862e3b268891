package dev.sluice.lifecycle.quiet;

/**
 * A connection, as far as the order of marking depends on it.
 *
 * @param connection what the shell knows it by; unique within the drain
 * @param node the broker that the client reached, or {@link #BOOTSTRAP}
 */
public record Link(long connection, ClientKey client, int node) {

  /** No broker in particular. Nobody comes back to it. */
  public static final int BOOTSTRAP = -1;

  /** What makes connections those of one client: its id and the address it comes from. */
  public record ClientKey(String clientId, String address) implements Comparable<ClientKey> {
    @Override
    public int compareTo(ClientKey other) {
      int byId = clientId.compareTo(other.clientId);
      return byId != 0 ? byId : address.compareTo(other.address);
    }
  }
}
