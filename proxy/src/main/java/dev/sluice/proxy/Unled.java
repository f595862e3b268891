package dev.sluice.proxy;

import java.util.Locale;

/** Why a client at a port that gateways share was led to no virtual cluster. */
enum Unled {
  /** It asked for a host that leads nowhere, or for none. */
  UNKNOWN_HOST,
  /** It sent what is no TLS handshake, or no header of the PROXY protocol. */
  BAD_HANDSHAKE,
  /** It did not say in time for which host it came. */
  TOO_SLOW;

  /** As in metrics and logs. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
