package dev.sluice.proxy;

import dev.sluice.filter.Filter;
import dev.sluice.filter.Wanted;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The filters of one generation, in the order in which requests pass them. What none of them wants
 * costs the look at a bit. Safe from every thread.
 */
final class FilterChain {

  private static final Logger LOG = LoggerFactory.getLogger(FilterChain.class);

  /** One filter, what it wants, and what it asks. */
  record Link(FilterSpec spec, Filter filter, Wanted wanted, Inquiries inquiries) {}

  private final List<Link> links;
  private final Wanted wanted;
  private final AtomicBoolean closed = new AtomicBoolean();

  FilterChain(List<Link> links) {
    this.links = List.copyOf(links);
    this.wanted = links.stream().map(Link::wanted).reduce(Wanted.NOTHING, Wanted::or);
  }

  /** A chain without filters. */
  static FilterChain empty() {
    return new FilterChain(List.of());
  }

  int size() {
    return links.size();
  }

  Link link(int index) {
    return links.get(index);
  }

  boolean wantsRequest(short key, short version) {
    return wanted.request(key, version);
  }

  boolean wantsTransactionalProduce(short version) {
    return wanted.transactionalProduce(version);
  }

  boolean wantsResponse(short key, short version) {
    return wanted.response(key, version);
  }

  /** Lets go of the filters, once; on a thread of its own, since they may take their time. */
  void close() {
    if (!closed.getAndSet(true) && !links.isEmpty()) {
      Thread.ofVirtual().name("filter-close").start(() -> links.forEach(FilterChain::close));
    }
  }

  private static void close(Link link) {
    close(link.spec(), link.filter(), link.inquiries());
  }

  /** Closes a filter whatever it throws. */
  static void close(FilterSpec spec, Filter filter, Inquiries inquiries) {
    try {
      filter.close();
    } catch (Exception e) {
      LOG.atWarn()
          .addKeyValue("filter", spec.name())
          .addKeyValue("type", spec.factory().type())
          .setCause(e)
          .log("A filter failed to close");
    } finally {
      inquiries.close();
    }
  }
}
