package dev.sluice.protocol;

import java.util.EnumSet;
import java.util.Set;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;

/**
 * What the proxy knows of each API and version: whether a client may use it, how its header is
 * encoded, and how much of it must be looked at.
 *
 * <p>Offered is what a Kafka broker offers on a client listener by default: stable versions only.
 * What only brokers and controllers say to each other is not. Every look-up is two array reads;
 * nothing is allocated. Any thread may call.
 */
public final class Apis {

  /** Returned by the look-ups of a version when the API or the version is not known. */
  public static final short NONE = -1;

  /**
   * Spoken on broker listeners, but by brokers only (the share coordinator's persister, KIP-932).
   */
  private static final Set<ApiKeys> BETWEEN_BROKERS =
      EnumSet.of(
          ApiKeys.INITIALIZE_SHARE_GROUP_STATE,
          ApiKeys.READ_SHARE_GROUP_STATE,
          ApiKeys.WRITE_SHARE_GROUP_STATE,
          ApiKeys.DELETE_SHARE_GROUP_STATE,
          ApiKeys.READ_SHARE_GROUP_STATE_SUMMARY);

  private static final @Nullable Api[] BY_KEY = table();

  private Apis() {}

  /** Whether a client may send this API in this version. */
  public static boolean known(short key, short version) {
    return find(key, version) != null;
  }

  /** Whether a client may send this API at all. */
  public static boolean offered(short key) {
    return find(key) != null;
  }

  /** The API's name in Kafka's words, for logs and metrics; `unknown` for what is not offered. */
  public static String name(short key) {
    var api = find(key);
    return api == null ? "unknown" : api.name;
  }

  /** The oldest version that may be sent; {@link #NONE} for what is not offered. */
  public static short oldest(short key) {
    var api = find(key);
    return api == null ? NONE : api.oldest;
  }

  /** The newest version that may be sent; {@link #NONE} for what is not offered. */
  public static short newest(short key) {
    var api = find(key);
    return api == null ? NONE : api.newest;
  }

  /**
   * The oldest version to put into an ApiVersions response. It differs from {@link #oldest} for
   * Produce, where brokers announce versions that they refuse (KAFKA-18659: librdkafka takes a
   * higher lower bound for a broker without compression).
   */
  static short oldestAnnounced(short key) {
    return key == ApiKeys.PRODUCE.id
        ? ApiKeys.PRODUCE_API_VERSIONS_RESPONSE_MIN_VERSION
        : oldest(key);
  }

  /**
   * Whether a broker may keep a request of this API for as long as its client allows: Fetch and
   * ShareFetch until there are records, JoinGroup and SyncGroup until the rest of the group came.
   */
  public static boolean longPoll(short key) {
    return key == ApiKeys.FETCH.id
        || key == ApiKeys.SHARE_FETCH.id
        || key == ApiKeys.JOIN_GROUP.id
        || key == ApiKeys.SYNC_GROUP.id;
  }

  /** What a request of a known version needs; OPAQUE for others. */
  public static ApiTreatment requestTreatment(short key, short version) {
    return key == ApiKeys.PRODUCE.id && known(key, version)
        ? ApiTreatment.SKIMMED
        : ApiTreatment.OPAQUE;
  }

  /** What the response to a request of a known version needs; OPAQUE for others. */
  public static ApiTreatment responseTreatment(short key, short version) {
    var api = find(key, version);
    return api == null ? ApiTreatment.OPAQUE : api.responses[version];
  }

  /** 1, or 2 when the header is flexible; {@link #NONE} for an unknown version. */
  public static short requestHeaderVersion(short key, short version) {
    var api = find(key, version);
    return api == null ? NONE : api.requestHeaders[version];
  }

  /** 0, or 1 when the header is flexible; {@link #NONE} for an unknown version. */
  public static short responseHeaderVersion(short key, short version) {
    var api = find(key, version);
    return api == null ? NONE : api.responseHeaders[version];
  }

  private static @Nullable Api find(short key) {
    return key >= 0 && key < BY_KEY.length ? BY_KEY[key] : null;
  }

  private static @Nullable Api find(short key, short version) {
    var api = find(key);
    return api != null && version >= api.oldest && version <= api.newest ? api : null;
  }

  private static @Nullable Api[] table() {
    var highest = 0;
    for (var key : ApiKeys.values()) {
      highest = Math.max(highest, key.id);
    }
    var table = new @Nullable Api[highest + 1];
    for (var key : ApiKeys.values()) {
      if (key.hasValidVersion()
          && key.inScope(ListenerType.BROKER)
          && !BETWEEN_BROKERS.contains(key)) {
        table[key.id] = new Api(key);
      }
    }
    return table;
  }

  private static final class Api {
    final String name;
    final short oldest;
    final short newest;
    final short[] requestHeaders;
    final short[] responseHeaders;
    final ApiTreatment[] responses;

    Api(ApiKeys key) {
      name = key.name;
      oldest = key.oldestVersion();
      newest = key.latestVersion(false);
      requestHeaders = new short[newest + 1];
      responseHeaders = new short[newest + 1];
      responses = new ApiTreatment[newest + 1];
      for (var version = oldest; version <= newest; version++) {
        requestHeaders[version] = key.requestHeaderVersion(version);
        responseHeaders[version] = key.responseHeaderVersion(version);
        responses[version] = response(key, version);
      }
    }

    private static ApiTreatment response(ApiKeys key, short version) {
      return switch (key) {
        case METADATA, FIND_COORDINATOR, DESCRIBE_CLUSTER, API_VERSIONS -> ApiTreatment.DECODED;
        case SHARE_FETCH, SHARE_ACKNOWLEDGE -> ApiTreatment.SKIMMED;
        case PRODUCE -> version >= 10 ? ApiTreatment.SKIMMED : ApiTreatment.OPAQUE;
        case FETCH -> version >= 16 ? ApiTreatment.SKIMMED : ApiTreatment.OPAQUE;
        default -> ApiTreatment.OPAQUE;
      };
    }
  }
}
