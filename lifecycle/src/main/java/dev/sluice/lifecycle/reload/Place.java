package dev.sluice.lifecycle.reload;

import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/**
 * Where something listens.
 *
 * @param address a local address; empty: all of them
 * @param port of TCP
 * @param shared whether several owners listen there together, who all say so
 */
public record Place(String address, int port, boolean shared) implements Comparable<Place> {

  private static final String EVERYWHERE = "";
  private static final Set<String> WILDCARDS = Set.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0");
  private static final Comparator<Place> ORDER =
      Comparator.comparingInt(Place::port)
          .thenComparing(Place::address)
          .thenComparing(Place::shared);

  /** It belongs to one owner. */
  public Place(String address, int port) {
    this(address, port, false);
  }

  /**
   * As it is configured.
   *
   * @param bindAddress empty: all local addresses
   */
  public static Place of(Optional<String> bindAddress, int port) {
    return new Place(
        bindAddress.filter(one -> !WILDCARDS.contains(one)).map(Place::plain).orElse(EVERYWHERE),
        port);
  }

  /** The same, for several owners. */
  public Place asShared() {
    return new Place(address, port, true);
  }

  /** Whether it is at all local addresses. */
  public boolean isEverywhere() {
    return address.equals(EVERYWHERE);
  }

  private static String plain(String address) {
    return address.equals("localhost") ? "127.0.0.1" : address;
  }

  /** Whether not both can be listened on by owners of their own. */
  public boolean meets(Place other) {
    return port == other.port
        && !(shared && other.shared && address.equals(other.address))
        && (isEverywhere() || other.isEverywhere() || address.equals(other.address));
  }

  @Override
  public int compareTo(Place other) {
    return ORDER.compare(this, other);
  }
}
