package dev.sluice.proxy;

import dev.sluice.filter.Exchange;
import dev.sluice.filter.Filter;
import dev.sluice.filter.FilterFactory;
import dev.sluice.filter.FilterScope;
import dev.sluice.filter.RequestVerdict;
import dev.sluice.filter.ResponseVerdict;
import dev.sluice.filter.Setting;
import dev.sluice.filter.Settings;
import dev.sluice.filter.Wanted;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/** A filter that does what a test says, and counts how often it was made and closed. */
final class ScriptedFilter implements FilterFactory {

  final AtomicInteger made = new AtomicInteger();
  final AtomicInteger closed = new AtomicInteger();

  /** The correlation ids of responses that it saw. */
  final Queue<Integer> responses = new ConcurrentLinkedQueue<>();

  private final Wanted wanted;
  private BiFunction<Exchange, ApiMessage, CompletionStage<RequestVerdict>> onRequest =
      (_, body) -> RequestVerdict.forward(body);
  private BiFunction<Exchange, ApiMessage, CompletionStage<ResponseVerdict>> onResponse =
      (_, body) -> ResponseVerdict.forward(body);
  private Duration timeLimit = FilterSpec.DEFAULT_TIME_LIMIT;
  private Callable<@Nullable Void> initialize = () -> null;
  private Runnable close = () -> {};
  private volatile @Nullable FilterScope scope;
  private boolean changesNames;

  ScriptedFilter(Wanted wanted) {
    this.wanted = wanted;
  }

  ScriptedFilter changingNames() {
    changesNames = true;
    return this;
  }

  ScriptedFilter onRequest(
      BiFunction<Exchange, ApiMessage, CompletionStage<RequestVerdict>> script) {
    onRequest = script;
    return this;
  }

  ScriptedFilter onResponse(
      BiFunction<Exchange, ApiMessage, CompletionStage<ResponseVerdict>> script) {
    onResponse = script;
    return this;
  }

  ScriptedFilter timeLimit(Duration limit) {
    timeLimit = limit;
    return this;
  }

  ScriptedFilter initializeFails(String why) {
    return onInitialize(
        () -> {
          throw new IllegalStateException(why);
        });
  }

  ScriptedFilter onInitialize(Callable<@Nullable Void> script) {
    initialize = script;
    return this;
  }

  ScriptedFilter onClose(Runnable script) {
    close = script;
    return this;
  }

  /** Whom the filter serves that was made last. */
  FilterScope scope() {
    return Objects.requireNonNull(scope, "no filter was made");
  }

  FilterSpec spec(String name) {
    return new FilterSpec(name, this, Settings.of(settings(), Map.of()), timeLimit);
  }

  /** The cluster with these filters, named f0, f1 and so on. */
  static VirtualClusterSpec on(VirtualClusterSpec spec, ScriptedFilter... filters) {
    var number = new AtomicInteger();
    return spec.withFilters(
        Arrays.stream(filters).map(each -> each.spec("f" + number.getAndIncrement())).toList());
  }

  @Override
  public String type() {
    return "Scripted";
  }

  @Override
  public boolean changesNames() {
    return changesNames;
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of();
  }

  @Override
  public Filter create(Settings settings, FilterScope whom) {
    scope = whom;
    made.incrementAndGet();
    return new Filter() {
      @Override
      public Wanted wanted() {
        return wanted;
      }

      @Override
      public void initialize() throws Exception {
        initialize.call();
      }

      @Override
      public CompletionStage<RequestVerdict> onRequest(Exchange exchange, ApiMessage request) {
        return onRequest.apply(exchange, request);
      }

      @Override
      public CompletionStage<ResponseVerdict> onResponse(Exchange exchange, ApiMessage response) {
        responses.add(exchange.header().correlationId());
        return onResponse.apply(exchange, response);
      }

      @Override
      public void close() {
        closed.incrementAndGet();
        close.run();
      }
    };
  }
}
