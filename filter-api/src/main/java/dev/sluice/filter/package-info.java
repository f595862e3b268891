/**
 * What a filter is to a proxy that it stands in.
 *
 * <p>A filter sees requests and responses of Kafka's protocol while they pass, decoded into Kafka's
 * own message classes ({@code org.apache.kafka.common.message}), and may change them, answer in the
 * broker's place, or end the connection. To write one:
 *
 * <ol>
 *   <li>Implement {@link dev.sluice.filter.FilterFactory}: the type's name, what can be set ({@link
 *       dev.sluice.filter.Setting}), and how to make one. Name the class in {@code
 *       META-INF/services/dev.sluice.filter.FilterFactory}.
 *   <li>Implement {@link dev.sluice.filter.Filter}: {@link dev.sluice.filter.Filter#wanted()} says
 *       which APIs and versions it sees. All others pass it by, undecoded, and cost nothing.
 *   <li>Put the jar into the folder {@code filters} of the proxy's distribution and name the type
 *       in the configuration.
 * </ol>
 *
 * <p><b>Life.</b> One filter is made for each virtual cluster that uses it, and anew whenever that
 * cluster gets a new configuration (a generation). {@code initialize} runs before the first client
 * is served; if it fails, that virtual cluster is not set up, with the exception's message as the
 * reason, and no other cluster is touched. {@code close} is called exactly once, also after a
 * failed {@code initialize}, when the last connection that uses the filter has ended, or is just
 * being cut: what it throws at one of those harms nobody.
 *
 * <p><b>Threads.</b> A filter serves all connections of its cluster, on several event loops at a
 * time: it must be safe for that, and it must never block in {@code onRequest} and {@code
 * onResponse}. What takes long is answered later, from any thread, by completing the stage; each
 * has a time limit. The order of requests and of responses on one connection is kept whatever the
 * order in which stages complete.
 *
 * <p><b>Questions.</b> What only the Kafka cluster knows, a filter asks it by the {@link
 * dev.sluice.filter.Inquirer} of its scope; no client's connection has to do with that.
 *
 * <p><b>Chain.</b> Requests pass the filters in the order of the configuration, responses in the
 * opposite one. An answer in the broker's place passes, as a response, the filters that the request
 * had passed before. What the proxy itself does (replacing brokers' addresses, narrowing of API
 * versions) happens on the broker's side of all filters.
 *
 * <p>Each of these promises, and the test that shows it: {@code docs/filter-promises.md}.
 */
@NullMarked
package dev.sluice.filter;

import org.jspecify.annotations.NullMarked;
