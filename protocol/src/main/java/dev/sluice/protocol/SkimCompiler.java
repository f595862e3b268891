package dev.sluice.protocol;

import java.util.Arrays;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.types.ArrayOf;
import org.apache.kafka.common.protocol.types.CompactArrayOf;
import org.apache.kafka.common.protocol.types.NullableSchema;
import org.apache.kafka.common.protocol.types.Schema;
import org.apache.kafka.common.protocol.types.TaggedFields;
import org.apache.kafka.common.protocol.types.Type;

/** Makes a {@link SkimProgram} from a schema: once each, when the class that wants it is loaded. */
final class SkimCompiler {

  /** A count: 0 is none. */
  private static final int ANY_BIT = 0xff;

  /** A count or length plus one: 0 is null, 1 is none. */
  private static final int ANY_BIT_BUT_LAST = 0xfe;

  private int[] code = new int[64];
  private int size;
  private int depth;

  private SkimCompiler() {}

  /**
   * The way from a response's header, without the length before it, to one of its fields.
   *
   * @param field as Kafka's schemas name it; the response must have it on its top level
   */
  static SkimProgram compile(ApiKeys key, short version, String field) {
    var compiler = new SkimCompiler();
    compiler.emit(SkimProgram.SKIP, Integer.BYTES);
    if (Apis.responseHeaderVersion(key.id, version) >= 1) {
      compiler.tags();
    }
    return compiler.to(field, key.messageType.responseSchemas()[version]);
  }

  private SkimProgram to(String wanted, Schema response) {
    for (var field : response.fields()) {
      if (field.def.name.equals(wanted)) {
        return finish(false);
      }
      if (field.def.type instanceof TaggedFields last
          && last.fields().values().stream().anyMatch(tag -> tag.name.equals(wanted))) {
        return finish(true);
      }
      walk(field.def.type);
    }
    throw new IllegalStateException("expected a field " + wanted + ", found " + response);
  }

  private SkimProgram finish(boolean tagged) {
    emit(SkimProgram.HERE, 0);
    return new SkimProgram(Arrays.copyOf(code, size), tagged);
  }

  private void walk(Type type) {
    switch (type) {
      case NullableSchema optional -> {
        var start = emit(SkimProgram.OPTIONAL, 0);
        struct(optional);
        code[start + 1] = size;
      }
      case Schema struct -> struct(struct);
      case CompactArrayOf array ->
          repeat(SkimProgram.ARRAY, () -> element(array.arrayElementType().orElseThrow()));
      case ArrayOf array ->
          repeat(SkimProgram.ARRAY_32, () -> element(array.arrayElementType().orElseThrow()));
      case TaggedFields _ -> tags();
      default -> plain(type);
    }
  }

  private void struct(Schema struct) {
    for (var field : struct.fields()) {
      walk(field.def.type);
    }
  }

  private void element(Type type) {
    if (type instanceof Schema struct && !(type instanceof NullableSchema)) {
      plainElement(struct);
    }
    walk(type);
  }

  /** Where numbers come first, and behind them only what takes one byte when it is empty. */
  private void plainElement(Schema struct) {
    var numbers = 0;
    var empty = 0;
    var emptied = 0;
    for (var field : struct.fields()) {
      var type = field.def.type;
      if (emptied == 0 && fixedBytes(type) > 0) {
        numbers += fixedBytes(type);
      } else if (type instanceof TaggedFields) {
        empty = (empty << Byte.SIZE) | ANY_BIT;
        emptied++;
      } else if (type.toString().startsWith("COMPACT_")) {
        empty = (empty << Byte.SIZE) | ANY_BIT_BUT_LAST;
        emptied++;
      } else {
        return;
      }
    }
    if (numbers >= Integer.BYTES && emptied > 0 && emptied <= Integer.BYTES) {
      emit(SkimProgram.PLAIN, numbers + emptied);
      emit(SkimProgram.EMPTY, empty);
    }
  }

  private void tags() {
    repeat(
        SkimProgram.TAGS,
        () -> {
          emit(SkimProgram.TAG, 0);
          emit(SkimProgram.SIZE, 0);
        });
  }

  private void repeat(int operation, Runnable body) {
    if (++depth > SkimProgram.MAX_DEPTH) {
      throw new IllegalStateException(
          "expected at most " + SkimProgram.MAX_DEPTH + " arrays within arrays");
    }
    var start = emit(operation, 0);
    body.run();
    emit(SkimProgram.NEXT, start + 2);
    code[start + 1] = size;
    depth--;
  }

  private void plain(Type type) {
    var bytes = fixedBytes(type);
    if (bytes > 0) {
      emit(SkimProgram.SKIP, bytes);
      return;
    }
    switch (type.toString()) {
      case "STRING", "NULLABLE_STRING" -> emit(SkimProgram.BYTES_16, 0);
      case "BYTES", "NULLABLE_BYTES" -> emit(SkimProgram.BYTES_32, 0);
      case "COMPACT_STRING", "COMPACT_NULLABLE_STRING" -> emit(SkimProgram.BYTES, 0);
      case "COMPACT_BYTES", "COMPACT_NULLABLE_BYTES" -> emit(SkimProgram.BYTES, 0);
      case "COMPACT_RECORDS", "COMPACT_NULLABLE_RECORDS" -> emit(SkimProgram.BYTES, 0);
      default -> throw new IllegalStateException("expected a type known here, found " + type);
    }
  }

  /** What every value of the type takes; 0 if that differs. */
  private static int fixedBytes(Type type) {
    return switch (type.toString()) {
      case "BOOLEAN", "INT8" -> Byte.BYTES;
      case "INT16", "UINT16" -> Short.BYTES;
      case "INT32", "UINT32" -> Integer.BYTES;
      case "INT64", "FLOAT64" -> Long.BYTES;
      case "UUID" -> 2 * Long.BYTES;
      default -> 0;
    };
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
