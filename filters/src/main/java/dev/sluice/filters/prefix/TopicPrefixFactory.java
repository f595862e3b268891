package dev.sluice.filters.prefix;

import dev.sluice.filter.Filter;
import dev.sluice.filter.FilterFactory;
import dev.sluice.filter.FilterScope;
import dev.sluice.filter.Setting;
import dev.sluice.filter.Settings;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The type {@code TopicPrefix}: a tenant sees only topics, groups and transactional ids under a
 * prefix, and does not see the prefix.
 */
public final class TopicPrefixFactory implements FilterFactory {

  /** What the names of a tenant begin with on the brokers. */
  public static final Setting<String> PREFIX =
      Setting.text(
              "prefix",
              "What the names of the tenant's topics, groups and transactional ids begin with on"
                  + " the brokers. No tenant's prefix may begin with another's: end it with a"
                  + " separator.")
          .checked(
              Pattern.compile("[a-zA-Z0-9._-]{1,200}").asMatchPredicate(),
              "1 to 200 of the characters that a topic's name may have: letters, digits, '.', '_'"
                  + " and '-'");

  /** For the service loader. */
  public TopicPrefixFactory() {}

  @Override
  public String type() {
    return "TopicPrefix";
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(PREFIX);
  }

  @Override
  public boolean changesNames() {
    return true;
  }

  /** Who has the shorter prefix would see what the other has. */
  @Override
  public Optional<String> clash(Settings one, Settings other) {
    var first = one.get(PREFIX);
    var second = other.get(PREFIX);
    if (first.equals(second)) {
      return Optional.of("both have the prefix '%s'; use one definition for both".formatted(first));
    }
    boolean longer = first.startsWith(second);
    return longer || second.startsWith(first)
        ? Optional.of(
            ("the prefix '%s' begins with '%s': one tenant would see what the other has; end each"
                    + " with a separator")
                .formatted(longer ? first : second, longer ? second : first))
        : Optional.empty();
  }

  @Override
  public Filter create(Settings settings, FilterScope scope) {
    return new TopicPrefix(new Prefix(settings.get(PREFIX)));
  }
}
