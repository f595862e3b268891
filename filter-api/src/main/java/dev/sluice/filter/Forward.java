package dev.sluice.filter;

import org.apache.kafka.common.protocol.ApiMessage;

/**
 * It goes on.
 *
 * @param body what goes on: what came, or another message of the same API and direction
 */
public record Forward(ApiMessage body) implements RequestVerdict, ResponseVerdict {}
