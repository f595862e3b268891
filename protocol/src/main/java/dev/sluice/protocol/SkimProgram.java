package dev.sluice.protocol;

import java.util.EnumMap;
import java.util.Map;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;

/**
 * How to walk from the beginning of a response to one field of it (its broker end points, its
 * throttle time) without reading what lies between. {@link SkimCompiler} makes it from Kafka's own
 * schema of the response, once for each API and version. An instruction is an operation and an
 * argument.
 */
final class SkimProgram {

  /** Skips as many bytes as the argument says. */
  static final int SKIP = 0;

  /** Reads a length plus one, and skips that: strings, bytes, records; 0 is null. */
  static final int BYTES = 1;

  /** Reads a count plus one, and repeats what follows; the argument is where to go on behind it. */
  static final int ARRAY = 2;

  /** Reads a count, and repeats what follows; the argument is where to go on behind it. */
  static final int TAGS = 3;

  /** Reads a tag. */
  static final int TAG = 4;

  /** Reads a size and skips that. */
  static final int SIZE = 5;

  /** Repeats from where the argument says, unless it was the last time. */
  static final int NEXT = 6;

  /** Reads a byte; if it is negative, what follows is absent: go on where the argument says. */
  static final int OPTIONAL = 7;

  /** Here the field begins, if it is plain; if it is a tagged field, the tagged fields begin. */
  static final int HERE = 8;

  /** Reads a length as an int16, and skips that; -1 is null. */
  static final int BYTES_16 = 9;

  /** Reads a length as an int32, and skips that; -1 is null. */
  static final int BYTES_32 = 10;

  /** Reads a count as an int32, and repeats what follows; else as {@link #ARRAY}. */
  static final int ARRAY_32 = 11;

  /**
   * Steps over elements of an array that have only what all of them have, numbers, and nothing in
   * fields that may be empty, but not over the last. The argument is how many bytes such an element
   * takes; {@link #EMPTY} follows.
   */
  static final int PLAIN = 12;

  /** The argument is which bits of a plain element's last four bytes are zero. */
  static final int EMPTY = 13;

  /** Bound on arrays within arrays. Kafka's deepest has three; a schema with more fails a test. */
  static final int MAX_DEPTH = 8;

  private static final Map<ApiKeys, @Nullable SkimProgram[]> END_POINTS = endPoints();

  /** Whether the field is a tagged one, and not a plain one. */
  final boolean tagged;

  private final int[] code;

  SkimProgram(int[] code, boolean tagged) {
    this.code = code;
    this.tagged = tagged;
  }

  /** To the end points of a response that is {@link ApiTreatment#SKIMMED}. */
  static SkimProgram toEndPoints(short key, short version) {
    if (Apis.responseTreatment(key, version) == ApiTreatment.SKIMMED) {
      var programs = END_POINTS.get(ApiKeys.forId(key));
      var program = programs == null ? null : programs[version];
      if (program != null) {
        return program;
      }
    }
    throw new IllegalArgumentException(
        "expected a response that is skimmed, found " + Apis.name(key) + " version " + version);
  }

  int operation(int at) {
    return code[at];
  }

  int argument(int at) {
    return code[at + 1];
  }

  private static Map<ApiKeys, @Nullable SkimProgram[]> endPoints() {
    var programs = new EnumMap<ApiKeys, @Nullable SkimProgram[]>(ApiKeys.class);
    for (var key : ApiKeys.values()) {
      for (var version = Apis.oldest(key.id); version <= Apis.newest(key.id); version++) {
        if (Apis.responseTreatment(key.id, version) == ApiTreatment.SKIMMED) {
          programs
                  .computeIfAbsent(key, k -> new @Nullable SkimProgram[Apis.newest(k.id) + 1])[
                  version] =
              SkimCompiler.compile(key, version, "node_endpoints");
        }
      }
    }
    return programs;
  }
}
