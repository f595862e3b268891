package dev.sluice.protocol;

import java.util.EnumMap;
import java.util.Map;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;

/**
 * Which responses can tell a client to pause, by {@code throttle_time_ms} (KIP-219): whether they
 * have the field at all, and whether clients heed it. {@link ThrottleStamp} writes it.
 *
 * <p>Every look-up is two array reads; nothing is allocated. Any thread may call.
 */
public final class Throttle {

  private static final String FIELD = "throttle_time_ms";

  /**
   * The version from which on every Java client that knows KIP-219 (2.0 and later) pauses. Before
   * it, brokers themselves waited before they answered. What is not listed, though it has the
   * field, was heeded by nobody before the Java client 4.4 (KAFKA-20828).
   */
  private static final Map<ApiKeys, Integer> HONOURED_SINCE = honouredSince();

  private static final @Nullable Api[] BY_KEY = table();

  private Throttle() {}

  /** Whether the response to a request of this API and version has the field. */
  public static boolean carried(short key, short version) {
    return program(key, version) != null;
  }

  /**
   * Whether clients pause when they find it there: the Java client of any release since 2.0, and
   * those that follow it. Only a response that {@link #carried carries} the field can be honoured.
   */
  public static boolean honoured(short key, short version) {
    var api = find(key, version);
    return api != null && api.programs[version] != null && version >= api.honouredSince;
  }

  /** The way to the field; null if there is none. */
  static @Nullable SkimProgram program(short key, short version) {
    var api = find(key, version);
    return api == null ? null : api.programs[version];
  }

  private static @Nullable Api find(short key, short version) {
    return Apis.known(key, version) ? BY_KEY[key] : null;
  }

  private static Map<ApiKeys, Integer> honouredSince() {
    var since = new EnumMap<ApiKeys, Integer>(ApiKeys.class);
    since.put(ApiKeys.PRODUCE, 6);
    since.put(ApiKeys.FETCH, 8);
    since.put(ApiKeys.LIST_OFFSETS, 3);
    since.put(ApiKeys.METADATA, 6);
    since.put(ApiKeys.OFFSET_COMMIT, 4);
    since.put(ApiKeys.OFFSET_FETCH, 4);
    since.put(ApiKeys.FIND_COORDINATOR, 2);
    since.put(ApiKeys.JOIN_GROUP, 3);
    since.put(ApiKeys.HEARTBEAT, 2);
    since.put(ApiKeys.LEAVE_GROUP, 2);
    since.put(ApiKeys.SYNC_GROUP, 2);
    since.put(ApiKeys.DESCRIBE_GROUPS, 2);
    since.put(ApiKeys.LIST_GROUPS, 2);
    since.put(ApiKeys.API_VERSIONS, 2);
    since.put(ApiKeys.CREATE_TOPICS, 3);
    since.put(ApiKeys.DELETE_TOPICS, 2);
    since.put(ApiKeys.DELETE_RECORDS, 1);
    since.put(ApiKeys.INIT_PRODUCER_ID, 1);
    since.put(ApiKeys.ADD_PARTITIONS_TO_TXN, 1);
    since.put(ApiKeys.ADD_OFFSETS_TO_TXN, 1);
    since.put(ApiKeys.END_TXN, 1);
    since.put(ApiKeys.TXN_OFFSET_COMMIT, 1);
    since.put(ApiKeys.DESCRIBE_ACLS, 1);
    since.put(ApiKeys.CREATE_ACLS, 1);
    since.put(ApiKeys.DELETE_ACLS, 1);
    since.put(ApiKeys.DESCRIBE_CONFIGS, 2);
    since.put(ApiKeys.ALTER_CONFIGS, 1);
    since.put(ApiKeys.ALTER_REPLICA_LOG_DIRS, 1);
    since.put(ApiKeys.DESCRIBE_LOG_DIRS, 1);
    since.put(ApiKeys.CREATE_PARTITIONS, 1);
    since.put(ApiKeys.CREATE_DELEGATION_TOKEN, 1);
    since.put(ApiKeys.RENEW_DELEGATION_TOKEN, 1);
    since.put(ApiKeys.EXPIRE_DELEGATION_TOKEN, 1);
    since.put(ApiKeys.DESCRIBE_DELEGATION_TOKEN, 1);
    since.put(ApiKeys.DELETE_GROUPS, 1);
    since.put(ApiKeys.INCREMENTAL_ALTER_CONFIGS, 0);
    since.put(ApiKeys.OFFSET_DELETE, 0);
    return since;
  }

  private static @Nullable Api[] table() {
    var highest = 0;
    for (var key : ApiKeys.values()) {
      highest = Math.max(highest, key.id);
    }
    var table = new @Nullable Api[highest + 1];
    for (var key : ApiKeys.values()) {
      if (Apis.offered(key.id)) {
        table[key.id] = new Api(key);
      }
    }
    return table;
  }

  private static final class Api {
    final int honouredSince;
    final @Nullable SkimProgram[] programs;

    Api(ApiKeys key) {
      honouredSince = HONOURED_SINCE.getOrDefault(key, Integer.MAX_VALUE);
      programs = new @Nullable SkimProgram[Apis.newest(key.id) + 1];
      for (var version = Apis.oldest(key.id); version < programs.length; version++) {
        if (key.messageType.responseSchemas()[version].get(FIELD) != null) {
          programs[version] = SkimCompiler.compile(key, version, FIELD);
        }
      }
    }
  }
}
