package dev.sluice.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.protocol.types.BoundField;
import org.apache.kafka.common.protocol.types.NullableSchema;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.apache.kafka.common.protocol.types.Schema;
import org.apache.kafka.common.protocol.types.Struct;
import org.apache.kafka.common.protocol.types.TaggedFields;
import org.apache.kafka.common.protocol.types.Type;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.jspecify.annotations.Nullable;

/** Random messages of any schema: what is in them need not make sense, only parse. */
final class Structs {

  private final RandomGenerator random;
  private final Map<String, Optional<Object>> given;
  private int strings;

  Structs(RandomGenerator random) {
    this(random, Map.of());
  }

  /**
   * @param given what fields of these names are to be, wherever they are; empty for null
   */
  Structs(RandomGenerator random, Map<String, Optional<Object>> given) {
    this.random = random;
    this.given = given;
  }

  Struct struct(Schema schema) {
    var struct = new Struct(schema);
    for (var field : schema.fields()) {
      struct.set(field, value(field));
    }
    return struct;
  }

  /** A response with its length before it, and unknown tagged fields in the header if told so. */
  static ByteBuf response(ApiKeys key, short version, boolean headerTags, Struct body) {
    var header = new ResponseHeaderData().setCorrelationId(Wire.CORRELATION_ID);
    if (headerTags && key.responseHeaderVersion(version) >= 1) {
      header.unknownTaggedFields().add(new RawTaggedField(3, new byte[] {1, 2, 3}));
    }
    var head = MessageUtil.toByteBufferAccessor(header, key.responseHeaderVersion(version));
    return framed(head.buffer(), body);
  }

  /** A request with its length before it. */
  static ByteBuf request(ApiKeys key, short version, RequestHeaderData header, Struct body) {
    header
        .setRequestApiKey(key.id)
        .setRequestApiVersion(version)
        .setCorrelationId(Wire.CORRELATION_ID);
    var head = MessageUtil.toByteBufferAccessor(header, key.requestHeaderVersion(version));
    return framed(head.buffer(), body);
  }

  private static ByteBuf framed(ByteBuffer head, Struct body) {
    var bytes = ByteBuffer.allocate(body.sizeOf());
    body.writeTo(bytes);
    return Unpooled.buffer()
        .writeInt(head.remaining() + bytes.position())
        .writeBytes(head)
        .writeBytes(bytes.flip());
  }

  private @Nullable Object value(BoundField field) {
    var wanted = given.get(field.def.name);
    return wanted == null ? value(field.def.type) : wanted.orElse(null);
  }

  private @Nullable Object value(Type type) {
    return switch (type) {
      case NullableSchema optional -> random.nextBoolean() ? null : struct(optional);
      case Schema schema -> struct(schema);
      case TaggedFields tags -> tags(tags);
      case Type t when t.isArray() -> array(t);
      case Type t when t.isNullable() && random.nextInt(3) == 0 -> null;
      default -> plain(type);
    };
  }

  private @Nullable Object array(Type type) {
    if (type.isNullable() && random.nextInt(4) == 0) {
      return null;
    }
    var values = new @Nullable Object[random.nextInt(random.nextInt(20) == 0 ? 130 : 3)];
    for (var i = 0; i < values.length; i++) {
      values[i] = value(type.arrayElementType().orElseThrow());
    }
    return values;
  }

  private Object tags(TaggedFields known) {
    var values = new TreeMap<Integer, @Nullable Object>();
    known
        .fields()
        .forEach(
            (tag, field) -> {
              if (random.nextBoolean()) {
                values.put(tag, value(field.type));
              }
            });
    if (random.nextInt(4) == 0) {
      values.put(9_000, new RawTaggedField(9_000, new byte[random.nextInt(200)]));
    }
    return values;
  }

  private Object plain(Type type) {
    var name = type.toString().replace("COMPACT_", "").replace("NULLABLE_", "");
    return switch (name) {
      case "BOOLEAN" -> random.nextBoolean();
      case "INT8" -> (byte) random.nextInt();
      case "INT16" -> (short) random.nextInt();
      case "UINT16" -> random.nextInt(65_536);
      case "INT32" -> random.nextInt();
      case "UINT32" -> random.nextLong(1L << 32);
      case "INT64" -> random.nextLong();
      case "FLOAT64" -> random.nextDouble();
      case "UUID" -> new Uuid(random.nextLong(), random.nextLong());
      case "STRING" -> text();
      case "BYTES" -> ByteBuffer.wrap(bytes());
      case "RECORDS" -> MemoryRecords.readableRecords(ByteBuffer.wrap(bytes()));
      default -> throw new IllegalArgumentException(type.toString());
    };
  }

  /** No two are the same: names of topics and groups are keys. */
  private String text() {
    return "é".repeat(random.nextInt(random.nextInt(8) == 0 ? 150 : 4)) + strings++;
  }

  private byte[] bytes() {
    var bytes = new byte[random.nextInt(random.nextInt(8) == 0 ? 300 : 4)];
    random.nextBytes(bytes);
    return bytes;
  }
}
