package dev.sluice.bench;

import java.net.InetSocketAddress;

/** {@code host:port}, as Kafka writes it. */
final class Addresses {

  private Addresses() {}

  static InetSocketAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    return new InetSocketAddress(
        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }
}
