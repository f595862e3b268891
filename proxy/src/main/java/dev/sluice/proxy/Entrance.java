package dev.sluice.proxy;

import java.net.InetSocketAddress;
import java.util.OptionalInt;

/**
 * A place where a generation wants its clients to arrive.
 *
 * @param at a local address and port; one socket listens there, whichever generations name it
 * @param gateway whose addresses clients are told who arrive here
 * @param node that the port stands for; empty: any, it is the bootstrap port
 */
record Entrance(InetSocketAddress at, NodePorts gateway, OptionalInt node) {

  /** What it is for, in words: {@code node 1 of gateway local}. */
  String purpose() {
    return (node.isPresent() ? "node " + node.getAsInt() : "bootstrap") + " of " + gateway;
  }
}
