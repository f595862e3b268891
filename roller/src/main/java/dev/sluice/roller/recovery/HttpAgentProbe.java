package dev.sluice.roller.recovery;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.planner.reading.RecoveryReading;
import dev.sluice.roller.RecoveryProbe;
import dev.sluice.roller.ServerSpec;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Asks an agent beside each server: {@code GET /v1/broker-state}. */
public final class HttpAgentProbe implements RecoveryProbe {

  /** More than any answer has. */
  private static final int BODY_MAX_CHARACTERS = 4_096;

  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int NOT_TOLD = -1;

  private final ObjectMapper mapper = new ObjectMapper();
  private final HttpClient http;
  private final Where where;
  private final Duration limit;

  /** Where the agent of a server is. */
  @FunctionalInterface
  public interface Where {
    /** Its address, such as {@code http://kafka-1:8080}; throws when it is not known. */
    URI of(ServerSpec server) throws IOException;
  }

  /**
   * @param limit from the connection to the whole answer
   */
  public HttpAgentProbe(Where where, Duration limit) {
    this.where = where;
    this.limit = limit;
    this.http = HttpClient.newBuilder().connectTimeout(limit).build();
  }

  @Override
  public RecoveryReading look(ServerSpec server) throws IOException, InterruptedException {
    URI uri = where.of(server).resolve("/v1/broker-state");
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(uri).timeout(limit).build(),
            BodyHandlers.limiting(BodyHandlers.ofString(), BODY_MAX_CHARACTERS));
    if (answer.statusCode() == NOT_FOUND && !server.broker()) {
      return RecoveryReading.NOT_RECOVERING; // it answers, and holds no logs but the metadata
    }
    if (answer.statusCode() != OK) {
      throw new IOException("the agent at " + uri + " answered " + answer.statusCode());
    }
    return read(uri, answer.body());
  }

  private RecoveryReading read(URI uri, String body) throws IOException {
    try {
      JsonNode state = mapper.readTree(body);
      JsonNode left = state.path("recoveryState");
      int number = state.path("brokerState").asInt(NOT_TOLD);
      if (BrokerStates.mayReplay(number) && left.isMissingNode()) {
        throw new IOException(
            "the agent at " + uri + " says that it starts, and not whether it replays its logs");
      }
      return BrokerStates.reading(
          number,
          left.path("remainingLogsToRecover").asInt(),
          left.path("remainingSegmentsToRecover").asInt());
    } catch (JsonProcessingException e) {
      throw new IOException("the agent at " + uri + " answered no JSON", e);
    }
  }
}
