/**
 * From a file that a person wrote to the records that the proxy is made from.
 *
 * <p>{@link dev.sluice.app.configuration.ConfigurationFile} goes through four steps and never stops
 * at the first error: the YAML is composed into values that remember where they stand (syntax,
 * duplicate keys, environment variables); the published JSON Schema judges their structure; the
 * values become records; and what no schema can say is checked, such as ports that collide.
 * Whatever is found on the way is a {@link dev.sluice.app.configuration.Finding} with a path, a
 * line and a column. Records exist only if no error was found.
 *
 * <p>What turns out wrong only when the proxy runs here, such as a port in use or a name that does
 * not resolve, is not an error of the configuration: the one virtual cluster that it concerns
 * fails.
 */
@NullMarked
package dev.sluice.app.configuration;

import org.jspecify.annotations.NullMarked;
