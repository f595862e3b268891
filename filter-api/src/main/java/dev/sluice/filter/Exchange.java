package dev.sluice.filter;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response, as one filter sees them. Used by one thread at a time.
 *
 * <p>The proxy makes them; the constructor is public so that filters can be tested.
 */
public final class Exchange {

  private final RequestHeader header;
  private final InetSocketAddress client;

  private @Nullable Object kept;

  /**
   * @param header of the request
   * @param client from where it came
   */
  public Exchange(RequestHeader header, InetSocketAddress client) {
    this.header = header;
    this.client = client;
  }

  /** The request's header. */
  public RequestHeader header() {
    return header;
  }

  /** The version of request and response. */
  public short apiVersion() {
    return header.apiVersion();
  }

  /** From where the request came. */
  public InetSocketAddress client() {
    return client;
  }

  /** Keeps what the filter will want to know when the response comes. */
  public void keep(Object what) {
    kept = what;
  }

  /** What was kept of this type; null if nothing was. */
  public <T> @Nullable T kept(Class<T> type) {
    return type.isInstance(kept) ? type.cast(kept) : null;
  }
}
