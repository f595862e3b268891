package dev.sluice.proxy;

import dev.sluice.filter.FilterScope;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Makes the filters of a generation, all or none, on a thread of its own: what a filter does to
 * initialize may block.
 */
final class FilterSetUp {

  /** How long the filters of one generation may take to initialize, all together. */
  static final Duration LIMIT = Duration.ofSeconds(30);

  private final Generation generation;
  private final Promise<FilterChain> done;

  private FilterSetUp(Generation generation, Promise<FilterChain> done) {
    this.generation = generation;
    this.done = done;
  }

  /**
   * Begins.
   *
   * @return fails with a {@link SetUpException}, after closing what was made
   */
  static Future<FilterChain> of(Generation generation) {
    var control = generation.engine().control();
    var filters = generation.spec().filters();
    if (filters.isEmpty()) {
      return control.newSucceededFuture(FilterChain.empty());
    }
    Promise<FilterChain> done = control.newPromise();
    var setUp = new FilterSetUp(generation, done);
    Thread.ofVirtual().name("filter-set-up").start(() -> setUp.make(filters));
    var timer =
        control.schedule(
            () -> done.tryFailure(tooSlow(filters)), LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    done.addListener(_ -> timer.cancel(false));
    return done;
  }

  private void make(List<FilterSpec> specs) {
    var links = new ArrayList<FilterChain.Link>();
    for (var spec : specs) {
      try {
        links.add(made(spec));
      } catch (Exception | LinkageError e) {
        new FilterChain(links).close();
        done.tryFailure(failed(spec, e));
        return;
      }
    }
    var chain = new FilterChain(links);
    if (!done.trySuccess(chain)) {
      chain.close();
    }
  }

  private FilterChain.Link made(FilterSpec spec) throws Exception {
    var loop = generation.engine().loops().next();
    var inquiries = new Inquiries(spec, generation.upstream(), loop);
    var scope = new FilterScope(spec.name(), generation.name(), generation.number(), inquiries);
    var filter = spec.factory().create(spec.settings(), scope);
    boolean ready = false;
    try {
      filter.initialize();
      var wanted = filter.wanted();
      ready = true;
      return new FilterChain.Link(spec, filter, wanted, inquiries);
    } finally {
      if (!ready) {
        FilterChain.close(spec, filter, inquiries);
      }
    }
  }

  private static SetUpException failed(FilterSpec spec, Throwable failure) {
    var why = failure.getMessage();
    return new SetUpException(
        "filter-failed",
        "expected filter '%s' of type %s to initialize, found: %s"
            .formatted(
                spec.name(),
                spec.factory().type(),
                why == null ? failure.getClass().getSimpleName() : why));
  }

  private static SetUpException tooSlow(List<FilterSpec> specs) {
    return new SetUpException(
        "filter-failed",
        "expected the filters %s to initialize within %d s, found some that had not; see what they"
                .formatted(
                    Listed.of(specs.stream().map(FilterSpec::name).toList()), LIMIT.toSeconds())
            + " wait for, then try again");
  }
}
