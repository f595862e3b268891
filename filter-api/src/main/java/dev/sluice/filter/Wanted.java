package dev.sluice.filter;

import java.util.Arrays;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Which requests and responses a filter sees: a bit for each API, version and direction. A value;
 * asking costs an array read.
 *
 * <p>Wanting costs: what is wanted by some filter is collected whole, up to {@code
 * limits.maxFrameSize}, decoded and encoded again, where all else passes as it came. Produce and
 * Fetch are most of the bytes.
 */
public final class Wanted {

  /** Nothing: to start from. */
  public static final Wanted NOTHING = new Wanted(new long[0], new long[0], 0);

  private static final int VERSIONS = Long.SIZE;

  private final long[] requests;
  private final long[] responses;

  /** Of Produce requests that belong to a transaction: the versions. */
  private final long transactional;

  private Wanted(long[] requests, long[] responses, long transactional) {
    this.requests = requests;
    this.responses = responses;
    this.transactional = transactional;
  }

  /** These, and the requests of an API in all versions. */
  public Wanted andRequests(ApiKeys key) {
    return andRequests(key, key.oldestVersion(), key.latestVersion());
  }

  /** These, and the requests of an API in some versions, both included. */
  public Wanted andRequests(ApiKeys key, int oldest, int newest) {
    return new Wanted(with(requests, key.id, oldest, newest), responses, transactional);
  }

  /**
   * These, and in some versions, both included, Produce requests with a transactional id: whether
   * they have one is known without decoding them.
   */
  public Wanted andTransactionalProduce(int oldest, int newest) {
    return new Wanted(requests, responses, transactional | versions(oldest, newest));
  }

  /** These, and the responses of an API in all versions. */
  public Wanted andResponses(ApiKeys key) {
    return andResponses(key, key.oldestVersion(), key.latestVersion());
  }

  /** These, and the responses of an API in some versions, both included. */
  public Wanted andResponses(ApiKeys key, int oldest, int newest) {
    return new Wanted(requests, with(responses, key.id, oldest, newest), transactional);
  }

  /** What either wants. */
  public Wanted or(Wanted other) {
    return new Wanted(
        union(requests, other.requests),
        union(responses, other.responses),
        transactional | other.transactional);
  }

  /** Whether all requests of this API and version are wanted. */
  public boolean request(short apiKey, short apiVersion) {
    return has(requests, apiKey, apiVersion);
  }

  /** Whether Produce requests of this version that have a transactional id are wanted. */
  public boolean transactionalProduce(short apiVersion) {
    return has(transactional, apiVersion);
  }

  /** Whether responses of this API and version are wanted. */
  public boolean response(short apiKey, short apiVersion) {
    return has(responses, apiKey, apiVersion);
  }

  /** Whether nothing is wanted. */
  public boolean isNothing() {
    return requests.length == 0 && responses.length == 0 && transactional == 0;
  }

  private static boolean has(long[] table, short apiKey, short apiVersion) {
    return apiKey >= 0 && apiKey < table.length && has(table[apiKey], apiVersion);
  }

  private static boolean has(long versions, short apiVersion) {
    return apiVersion >= 0 && apiVersion < VERSIONS && (versions >>> apiVersion & 1) != 0;
  }

  private static long[] with(long[] table, int apiKey, int oldest, int newest) {
    var more = Arrays.copyOf(table, Math.max(table.length, apiKey + 1));
    more[apiKey] |= versions(oldest, newest);
    return more;
  }

  private static long versions(int oldest, int newest) {
    if (oldest < 0 || newest < oldest || newest >= VERSIONS) {
      throw new IllegalArgumentException(
          "expected versions from 0 to %d, oldest first, found %d to %d"
              .formatted(VERSIONS - 1, oldest, newest));
    }
    long versions = 0;
    for (int version = oldest; version <= newest; version++) {
      versions |= 1L << version;
    }
    return versions;
  }

  private static long[] union(long[] a, long[] b) {
    var both = Arrays.copyOf(a, Math.max(a.length, b.length));
    for (int key = 0; key < b.length; key++) {
      both[key] |= b[key];
    }
    return both;
  }
}
