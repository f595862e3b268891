package dev.sluice.proxy;

import dev.sluice.lifecycle.doors.Doorway;
import dev.sluice.lifecycle.reload.Place;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A place where a generation wants its clients to arrive.
 *
 * @param at a local address and port; one socket listens there, whichever generations name it
 * @param names that clients ask for there; empty: all that arrive there are meant
 * @param gateway whose addresses clients are told who arrive here
 * @param node that the port stands for; empty: any, it is the bootstrap port, or a client says it
 */
record Entrance(
    InetSocketAddress at, Optional<HostNames> names, NodePorts gateway, OptionalInt node) {

  /** What makes it the same place as another. */
  Doorway doorway() {
    var address = at.getAddress();
    return doorway(address.isAnyLocalAddress() ? "" : address.getHostAddress());
  }

  /** The place at the same port of all this machine's addresses. */
  Doorway everywhere() {
    return doorway("");
  }

  private Doorway doorway(String address) {
    return new Doorway(
        new Place(address, at.getPort(), names.isPresent()),
        names.map(HostNames::toString).orElse(""));
  }

  /** For which node somebody is here. */
  OptionalInt node(Arrival client) {
    return names.isPresent() ? client.node() : node;
  }

  /** What it is for, in words: {@code node 1 of gateway local}. */
  String purpose() {
    return (node.isPresent() ? "node " + node.getAsInt() : "bootstrap") + " of " + gateway;
  }
}
