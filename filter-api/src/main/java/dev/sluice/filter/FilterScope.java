package dev.sluice.filter;

/**
 * Whom a filter serves, and whom it may ask.
 *
 * @param name of the filter's definition in the configuration
 * @param virtualCluster name of the virtual cluster
 * @param generation of the virtual cluster's configuration: counts up from 1
 * @param inquirer asks the Kafka cluster; from {@link Filter#initialize()} on, until the filter is
 *     closed
 */
public record FilterScope(String name, String virtualCluster, int generation, Inquirer inquirer) {

  /** With nobody to ask: for tests. */
  public FilterScope(String name, String virtualCluster, int generation) {
    this(name, virtualCluster, generation, Inquirer.NOBODY);
  }
}
