package dev.sluice.proxy;

import java.util.Locale;

/** Why a client at a port that gateways share was led to no virtual cluster. */
enum Unled {
  /** It asked for a host that nobody has configured. */
  UNKNOWN_HOST,
  /** It asked for no host at all. */
  NO_HOST,
  /** Its virtual cluster is stopped or has failed. */
  NOBODY_THERE,
  /** It sent what is no TLS handshake. */
  BAD_HANDSHAKE,
  /** It sent no header of the PROXY protocol, or a broken one. */
  BAD_PROXY_HEADER,
  /** It did not say in time for which host it came. */
  TOO_SLOW;

  /** As in metrics and logs. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
