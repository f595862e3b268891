package dev.sluice.proxy;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * The host names of a gateway at which they identify the node. Case does not matter (RFC 4343).
 *
 * @param bootstrap the name that stands for any node
 * @param pattern the names of nodes, with {@code $(nodeId)} in it
 */
public record HostNames(String bootstrap, String pattern) {

  static final String NODE_ID = "$(nodeId)";

  /** Two patterns that have a name in common have one for some node id below this. */
  private static final int ENOUGH_NODES = 200;

  private static final Pattern DIGITS = Pattern.compile("0|[1-9][0-9]{0,8}");

  public HostNames {
    bootstrap = bootstrap.toLowerCase(Locale.ROOT);
    pattern = pattern.replace(NODE_ID, "\0").toLowerCase(Locale.ROOT).replace("\0", NODE_ID);
  }

  /**
   * Those of a gateway.
   *
   * @param gateway goes by host names
   */
  public static HostNames of(GatewaySpec gateway) {
    return new HostNames(
        gateway.bootstrapAddress().host(), gateway.advertisedBrokerAddressPattern());
  }

  /** For which node a name stands: empty for none here, empty within for any. */
  Optional<OptionalInt> node(String name) {
    var wanted = name.toLowerCase(Locale.ROOT);
    if (wanted.equals(bootstrap)) {
      return Optional.of(OptionalInt.empty());
    }
    int at = pattern.indexOf(NODE_ID);
    var before = pattern.substring(0, at);
    var after = pattern.substring(at + NODE_ID.length());
    if (wanted.length() <= before.length() + after.length()
        || !wanted.startsWith(before)
        || !wanted.endsWith(after)) {
      return Optional.empty();
    }
    var id = wanted.substring(before.length(), wanted.length() - after.length());
    return DIGITS.matcher(id).matches()
        ? Optional.of(OptionalInt.of(Integer.parseInt(id)))
        : Optional.empty();
  }

  /** The name of a node. */
  String of(int node) {
    return pattern.replace(NODE_ID, Integer.toString(node));
  }

  /** A name that stands for something here and there; empty if there is none. */
  public Optional<String> common(HostNames other) {
    if (other.node(bootstrap).isPresent()) {
      return Optional.of(bootstrap);
    }
    if (node(other.bootstrap).isPresent()) {
      return Optional.of(other.bootstrap);
    }
    for (int node = 0; node < ENOUGH_NODES; node++) {
      if (other.node(of(node)).isPresent()) {
        return Optional.of(of(node));
      }
      if (node(other.of(node)).isPresent()) {
        return Optional.of(other.of(node));
      }
    }
    return Optional.empty();
  }

  @Override
  public String toString() {
    return bootstrap + ", " + pattern;
  }
}
