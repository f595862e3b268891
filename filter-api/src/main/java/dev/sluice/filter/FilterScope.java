package dev.sluice.filter;

/**
 * Whom a filter serves.
 *
 * @param name of the filter's definition in the configuration
 * @param virtualCluster name of the virtual cluster
 * @param generation of the virtual cluster's configuration: counts up from 1
 */
public record FilterScope(String name, String virtualCluster, int generation) {}
