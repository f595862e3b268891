package dev.sluice.filters.prefix;

import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * The resources of access control lists: what a tenant means by them, and what they are on the
 * brokers. A tenant's {@code *} means all of its own: on the brokers that is a pattern, the prefix.
 */
record Acls(Prefix prefix) {

  private static final String ALL = "*";

  /** A resource as the messages have it. */
  record Resource(byte type, String name, byte pattern) {}

  /** Whether resources of this type have names of tenants. */
  static boolean isNamed(byte type) {
    return switch (ResourceType.fromCode(type)) {
      case TOPIC, GROUP, TRANSACTIONAL_ID -> true;
      default -> false;
    };
  }

  /** Whether a filter for resources of this type may match some that have names of tenants. */
  static boolean mayBeNamed(byte type) {
    return isNamed(type) || ResourceType.fromCode(type) == ResourceType.ANY;
  }

  Resource out(Resource asked) {
    if (!mayBeNamed(asked.type())) {
      return asked;
    }
    boolean all = asked.name().equals(ALL);
    boolean matching = asked.pattern() == PatternType.MATCH.code();
    byte pattern = all && !matching ? PatternType.PREFIXED.code() : asked.pattern();
    return new Resource(asked.type(), all ? prefix.text() : prefix.out(asked.name()), pattern);
  }

  /** Returns null for what is another's. */
  @Nullable Resource in(Resource found) {
    if (!isNamed(found.type())) {
      return found;
    }
    if (!prefix.owns(found.name())) {
      return null;
    }
    var name = prefix.in(found.name());
    return name.isEmpty() && found.pattern() == PatternType.PREFIXED.code()
        ? new Resource(found.type(), ALL, PatternType.LITERAL.code())
        : new Resource(found.type(), name, found.pattern());
  }

  /**
   * Whether a filter can be told to match a tenant's own only. One without a name matches
   * everybody's; one that asks for what matches a name finds patterns that are wider than the
   * tenant.
   */
  static boolean isWithinTenant(byte type, @Nullable String name, byte pattern) {
    return !mayBeNamed(type) || (name != null && pattern != PatternType.MATCH.code());
  }
}
