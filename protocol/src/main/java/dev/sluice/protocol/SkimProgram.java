package dev.sluice.protocol;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.types.CompactArrayOf;
import org.apache.kafka.common.protocol.types.NullableSchema;
import org.apache.kafka.common.protocol.types.Schema;
import org.apache.kafka.common.protocol.types.TaggedFields;
import org.apache.kafka.common.protocol.types.Type;
import org.jspecify.annotations.Nullable;

/**
 * How to walk from the beginning of a response to its broker end points without reading what lies
 * between: compiled once from Kafka's own schema of the response, for each API and version.
 *
 * <p>An instruction is an operation and an argument. Only flexible versions (KIP-482) are walked.
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

  /** Here the end points may be, and behind them nothing but tagged fields. */
  static final int TAIL = 8;

  /** Bound on arrays within arrays. Kafka's deepest has three; a schema with more fails a test. */
  static final int MAX_DEPTH = 8;

  private static final String END_POINTS = "node_endpoints";

  private static final Map<ApiKeys, @Nullable SkimProgram[]> PROGRAMS = compileAll();

  /** Whether the end points are a tagged field, and not a plain one. */
  final boolean tagged;

  private final int[] code;

  private SkimProgram(int[] code, boolean tagged) {
    this.code = code;
    this.tagged = tagged;
  }

  /** The program for a response that is {@link ApiTreatment#SKIMMED}. */
  static SkimProgram of(short key, short version) {
    if (Apis.responseTreatment(key, version) == ApiTreatment.SKIMMED) {
      var programs = PROGRAMS.get(ApiKeys.forId(key));
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

  private static Map<ApiKeys, @Nullable SkimProgram[]> compileAll() {
    var programs = new EnumMap<ApiKeys, @Nullable SkimProgram[]>(ApiKeys.class);
    for (var key : ApiKeys.values()) {
      for (var version = Apis.oldest(key.id); version <= Apis.newest(key.id); version++) {
        if (Apis.responseTreatment(key.id, version) == ApiTreatment.SKIMMED) {
          var schema = key.messageType.responseSchemas()[version];
          programs
                  .computeIfAbsent(key, k -> new @Nullable SkimProgram[Apis.newest(k.id) + 1])[
                  version] =
              new Compiler().compile(schema);
        }
      }
    }
    return programs;
  }

  private static final class Compiler {

    private int[] code = new int[64];
    private int size;
    private int depth;

    SkimProgram compile(Schema response) {
      emit(SKIP, Integer.BYTES);
      tags();
      for (var field : response.fields()) {
        if (field.def.name.equals(END_POINTS)) {
          return finish(false);
        }
        if (field.def.type instanceof TaggedFields last) {
          if (last.fields().values().stream().anyMatch(tag -> tag.name.equals(END_POINTS))) {
            return finish(true);
          }
        }
        walk(field.def.type);
      }
      throw new IllegalStateException("expected a field " + END_POINTS + ", found " + response);
    }

    private SkimProgram finish(boolean tagged) {
      emit(TAIL, 0);
      return new SkimProgram(Arrays.copyOf(code, size), tagged);
    }

    private void walk(Type type) {
      switch (type) {
        case NullableSchema optional -> {
          var start = emit(OPTIONAL, 0);
          struct(optional);
          code[start + 1] = size;
        }
        case Schema struct -> struct(struct);
        case CompactArrayOf array ->
            repeat(ARRAY, () -> walk(array.arrayElementType().orElseThrow()));
        case TaggedFields _ -> tags();
        default -> plain(type);
      }
    }

    private void struct(Schema struct) {
      for (var field : struct.fields()) {
        walk(field.def.type);
      }
    }

    private void tags() {
      repeat(
          TAGS,
          () -> {
            emit(TAG, 0);
            emit(SIZE, 0);
          });
    }

    private void repeat(int operation, Runnable body) {
      if (++depth > MAX_DEPTH) {
        throw new IllegalStateException("expected at most " + MAX_DEPTH + " arrays within arrays");
      }
      var start = emit(operation, 0);
      body.run();
      emit(NEXT, start + 2);
      code[start + 1] = size;
      depth--;
    }

    private void plain(Type type) {
      switch (type.toString()) {
        case "BOOLEAN", "INT8" -> emit(SKIP, Byte.BYTES);
        case "INT16", "UINT16" -> emit(SKIP, Short.BYTES);
        case "INT32", "UINT32" -> emit(SKIP, Integer.BYTES);
        case "INT64", "FLOAT64" -> emit(SKIP, Long.BYTES);
        case "UUID" -> emit(SKIP, 2 * Long.BYTES);
        case "COMPACT_STRING", "COMPACT_NULLABLE_STRING" -> emit(BYTES, 0);
        case "COMPACT_BYTES", "COMPACT_NULLABLE_BYTES" -> emit(BYTES, 0);
        case "COMPACT_RECORDS", "COMPACT_NULLABLE_RECORDS" -> emit(BYTES, 0);
        default ->
            throw new IllegalStateException("expected a type of flexible versions, found " + type);
      }
    }

    private int emit(int operation, int argument) {
      if (size == code.length) {
        code = Arrays.copyOf(code, 2 * size);
      }
      code[size] = operation;
      code[size + 1] = argument;
      size += 2;
      return size - 2;
    }
  }
}
