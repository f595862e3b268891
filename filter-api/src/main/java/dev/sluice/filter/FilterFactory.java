package dev.sluice.filter;

import java.util.List;
import java.util.Optional;

/**
 * Makes the filters of one type. Found by {@link java.util.ServiceLoader}; has a public constructor
 * without parameters and no state.
 */
public interface FilterFactory {

  /** The type's name in a configuration, in upper camel case: {@code TopicPrefix}. */
  String type();

  /**
   * What can be set. A configuration that sets anything else, leaves out what is required, or sets
   * what a setting objects to, is refused when it is loaded.
   */
  List<Setting<?>> settings();

  /**
   * Whether what clients call topics, groups or transactional ids is called otherwise behind it.
   * Where such a filter comes, goes or changes, a reload drains: positions and names that a client
   * keeps in its connection, or in its memory, would mean something else from one request to the
   * next.
   */
  default boolean changesNames() {
    return false;
  }

  /**
   * Whether two filters of this type may stand before the same Kafka cluster, in two virtual
   * clusters and by two definitions. A configuration with two that may not is refused when it is
   * loaded.
   *
   * @return what is wrong with the two, for people; empty if nothing is
   */
  default Optional<String> clash(Settings one, Settings other) {
    return Optional.empty();
  }

  /**
   * Makes a filter; quickly, without input or output: that is for {@link Filter#initialize()}.
   *
   * @param settings complete and checked
   * @param scope whom it will serve
   * @throws RuntimeException with a sentence for people if the settings do not go together: the
   *     virtual cluster is not set up
   */
  Filter create(Settings settings, FilterScope scope);
}
