package dev.sluice.filter;

import org.jspecify.annotations.Nullable;

/**
 * What stands in the header of a request.
 *
 * @param apiKey which API, as Kafka numbers them
 * @param apiVersion its version
 * @param correlationId the client's number for this request
 * @param clientId how the client calls itself; null if it does not
 */
public record RequestHeader(
    short apiKey, short apiVersion, int correlationId, @Nullable String clientId) {}
