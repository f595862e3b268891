package dev.sluice.filters.prefix;

import dev.sluice.filter.Exchange;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/** What is done to the messages of one direction: a row for each API. */
final class Rows {

  /** What is done to a message. */
  @FunctionalInterface
  interface Renaming<M> {
    void rename(M body, Exchange exchange);
  }

  /** What is done to a request that may be answered in the broker's place. */
  @FunctionalInterface
  interface Judgement<M> {
    /** Returns null if it goes on. */
    @Nullable ApiMessage answer(M body, Exchange exchange);
  }

  /** The rows are asked for it: in which versions there is a name in it. */
  record Range(ApiKeys key, int oldest, int newest) {}

  private record Row<M extends ApiMessage>(Range range, Class<M> type, Judgement<M> judgement) {

    @Nullable ApiMessage answer(ApiMessage body, Exchange exchange) {
      return judgement.answer(type.cast(body), exchange);
    }
  }

  private final Map<ApiKeys, Row<?>> byKey = new EnumMap<>(ApiKeys.class);

  /** A row for all versions of an API. */
  <M extends ApiMessage> Rows add(ApiKeys key, Class<M> type, Renaming<M> renaming) {
    return add(key, type, key.oldestVersion(), key.latestVersion(), renaming);
  }

  /** A row for some versions of an API, both included: in others there is no name. */
  <M extends ApiMessage> Rows add(
      ApiKeys key, Class<M> type, int oldest, int newest, Renaming<M> renaming) {
    return put(
        new Row<>(
            new Range(key, oldest, newest),
            type,
            (body, exchange) -> {
              renaming.rename(body, exchange);
              return null;
            }));
  }

  /** A row for all versions of an API whose requests may be answered in the broker's place. */
  <M extends ApiMessage> Rows judge(ApiKeys key, Class<M> type, Judgement<M> judgement) {
    return put(
        new Row<>(new Range(key, key.oldestVersion(), key.latestVersion()), type, judgement));
  }

  private Rows put(Row<?> row) {
    if (byKey.put(row.range().key(), row) != null) {
      throw new IllegalStateException("expected one row, found two: " + row.range().key());
    }
    return this;
  }

  /** Which messages there are rows for. */
  List<Range> ranges() {
    return byKey.values().stream().map(Row::range).toList();
  }

  /**
   * Renames what is in a message for which there is a row.
   *
   * @return the answer in the broker's place; null if the message goes on
   */
  @Nullable ApiMessage apply(ApiMessage body, Exchange exchange) {
    var row = byKey.get(ApiKeys.forId(exchange.header().apiKey()));
    return row == null ? null : row.answer(body, exchange);
  }
}
