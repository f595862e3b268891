package dev.sluice.proxy;

import dev.sluice.filter.Answer;
import dev.sluice.filter.Close;
import dev.sluice.filter.Exchange;
import dev.sluice.filter.Forward;
import dev.sluice.filter.RequestHeader;
import dev.sluice.filter.Wanted;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/**
 * One request's way out through the filters, and its response's way back through those that the
 * request has passed. On one event loop, whatever threads the filters use.
 */
final class Passage {

  /** Where a way ends: exactly one of these, once. */
  interface Ends {

    /** All filters were passed. */
    void reached(ApiMessage body);

    /** A filter answers the request; what it says has passed those before it. */
    void answered(ApiMessage response);

    /** A filter ends the connection, or has failed. */
    void closed(String why);
  }

  private final FilterChain chain;
  private final EventLoop loop;
  private final short key;
  private final short version;
  private final List<Exchange> exchanges;

  /** How many filters the request has passed, or would have. */
  private int passed;

  Passage(FilterChain chain, RequestHeader header, InetSocketAddress client, EventLoop loop) {
    this.chain = chain;
    this.loop = loop;
    this.key = header.apiKey();
    this.version = header.apiVersion();
    this.passed = chain.size();
    this.exchanges = new ArrayList<>(chain.size());
    for (int at = 0; at < chain.size(); at++) {
      exchanges.add(new Exchange(header, client));
    }
  }

  /** Sends the request through. */
  void request(ApiMessage body, Ends ends) {
    requestFrom(0, body, ends);
  }

  private void requestFrom(int first, ApiMessage body, Ends ends) {
    int at = first;
    while (at < chain.size() && !wants(chain.link(at).wanted(), body)) {
      at++;
    }
    passed = at;
    if (at == chain.size()) {
      ends.reached(body);
      return;
    }
    int here = at;
    var link = chain.link(here);
    new Step(link.spec(), ends)
        .take(
            () -> link.filter().onRequest(exchanges.get(here), body),
            verdict -> {
              switch (verdict) {
                case Forward(var changed) -> requestFrom(here + 1, changed, ends);
                case Answer(var response) -> responseFrom(here - 1, response, ends, ends::answered);
                case Close(var why) -> ends.closed(closes(link.spec(), why));
              }
            });
  }

  private boolean wants(Wanted wanted, ApiMessage body) {
    return wanted.request(key, version)
        || (body instanceof ProduceRequestData produce
            && produce.transactionalId() != null
            && wanted.transactionalProduce(version));
  }

  /** Sends the response back. */
  void response(ApiMessage body, Ends ends) {
    responseFrom(passed - 1, body, ends, ends::reached);
  }

  private void responseFrom(int first, ApiMessage body, Ends ends, Consumer<ApiMessage> reached) {
    int at = first;
    while (at >= 0 && !chain.link(at).wanted().response(key, version)) {
      at--;
    }
    if (at < 0) {
      reached.accept(body);
      return;
    }
    int here = at;
    var link = chain.link(here);
    new Step(link.spec(), ends)
        .take(
            () -> link.filter().onResponse(exchanges.get(here), body),
            verdict -> {
              switch (verdict) {
                case Forward(var changed) -> responseFrom(here - 1, changed, ends, reached);
                case Close(var why) -> ends.closed(closes(link.spec(), why));
              }
            });
  }

  private static String closes(FilterSpec spec, String why) {
    return "filter '" + spec.name() + "' closes it: " + why;
  }

  /** What one filter makes of one message: its verdict, its failure, or that it takes too long. */
  private final class Step {
    private final FilterSpec spec;
    private final Ends ends;
    private boolean settled;

    /** Whether the filter is just being asked: what it says at once is taken at once. */
    private boolean asking = true;

    private @Nullable ScheduledFuture<?> timer;

    Step(FilterSpec spec, Ends ends) {
      this.spec = spec;
      this.ends = ends;
    }

    <V> void take(Supplier<CompletionStage<V>> filter, Consumer<V> then) {
      try {
        filter
            .get()
            .whenComplete(
                (verdict, failure) -> {
                  if (asking && loop.inEventLoop()) {
                    settle(verdict, failure, then);
                  } else {
                    loop.execute(() -> settle(verdict, failure, then));
                  }
                });
      } catch (RuntimeException | Error e) {
        settle(null, e, then);
      }
      asking = false;
      if (!settled) {
        timer = loop.schedule(this::tooLong, spec.timeLimit().toMillis(), TimeUnit.MILLISECONDS);
      }
    }

    /** The first word counts. */
    private <V> void settle(@Nullable V verdict, @Nullable Throwable failure, Consumer<V> then) {
      if (settled) {
        return;
      }
      settled = true;
      if (timer != null) {
        timer.cancel(false);
      }
      if (verdict == null) {
        ends.closed("filter '" + spec.name() + "' failed: " + failure);
        return;
      }
      try {
        then.accept(verdict);
      } catch (RuntimeException | Error e) { // Nobody hears of what a listener throws.
        ends.closed("filter '" + spec.name() + "' said what cannot be done: " + e);
      }
    }

    private void tooLong() {
      if (!settled) {
        settled = true;
        ends.closed(
            "filter '%s' took longer than its timeLimit of %d ms"
                .formatted(spec.name(), spec.timeLimit().toMillis()));
      }
    }
  }
}
