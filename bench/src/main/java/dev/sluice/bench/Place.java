package dev.sluice.bench;

/** An arm before one upstream: a process with a port of its own. */
record Place(Arm arm, Upstream upstream) {

  /** Whether the broker needs a listener that advertises this place's port. */
  boolean needsListener() {
    return arm.isBlind() && upstream != Upstream.STUB;
  }

  /** The name of that listener. */
  String listener() {
    return arm.name() + (upstream == Upstream.TLS_BROKER ? "_TLS" : "");
  }

  String protocol() {
    return upstream == Upstream.TLS_BROKER ? "SSL" : "PLAINTEXT";
  }
}
