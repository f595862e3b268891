/**
 * Tenants of one Kafka cluster who do not see each other: the names of one tenant's topics, groups
 * and transactional ids begin, on the brokers, with the tenant's prefix, and the tenant never sees
 * it.
 *
 * <p>{@link dev.sluice.filters.prefix.TopicPrefix} is the filter. Which field of which message
 * holds a name is said once, as a row of a table: {@code TopicRequests} and {@code TopicResponses},
 * {@code GroupRequests} and {@code GroupResponses}, and so on. Requests get the prefix; responses
 * lose it, and what is without it is another's and left out. A test holds the rows against Kafka's
 * own message specifications, field by field and version by version.
 *
 * <p>Names also hide where no specification says so: in the bytes that consumers tell each other
 * ({@code ConsumerBytes}), in regular expressions that the broker applies ({@code
 * PrefixedPattern}), in access control lists and configurations ({@code ResourceRequests}).
 */
@NullMarked
package dev.sluice.filters.prefix;

import org.jspecify.annotations.NullMarked;
