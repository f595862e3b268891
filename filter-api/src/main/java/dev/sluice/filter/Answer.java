package dev.sluice.filter;

import org.apache.kafka.common.protocol.ApiMessage;

/**
 * The request is answered in the broker's place.
 *
 * @param response of the request's API. For a request that gets no answer (Produce with acks=0) it
 *     is only the end of the request.
 */
public record Answer(ApiMessage response) implements RequestVerdict {}
