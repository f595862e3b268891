package dev.sluice.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.jspecify.annotations.Nullable;

/**
 * The end of a response that can name brokers: their end points, as a tagged field or a plain one,
 * and tagged fields that nobody here knows.
 *
 * @param tagged whether the end points are a tagged field
 * @param nodes the end points
 * @param others the other tagged fields, by ascending tag
 */
record EndpointTail(boolean tagged, List<Node> nodes, List<RawTaggedField> others) {

  /** The tag of the end points in Produce and Fetch responses. */
  private static final int END_POINTS_TAG = 0;

  /** The tag of what fills up a length that must be kept: no release of Kafka is near it. */
  static final int FILLER_TAG = 9_999;

  /** One end point; a rack may be null. Tagged fields within it are not kept. */
  record Node(int id, String host, int port, @Nullable String rack) {

    static Node read(ByteBufferAccessor in) {
      var id = in.readInt();
      var host = in.readString(in.readUnsignedVarint() - 1);
      var port = in.readInt();
      var rackLength = in.readUnsignedVarint() - 1;
      var rack = rackLength < 0 ? null : in.readString(rackLength);
      readTags(in, new ArrayList<>());
      return new Node(id, host, port, rack);
    }

    int bytes() {
      return 2 * Integer.BYTES + stringBytes(host) + (rack == null ? 1 : stringBytes(rack)) + 1;
    }

    void write(ByteBuf out) {
      out.writeInt(id);
      writeString(out, host);
      out.writeInt(port);
      writeString(out, rack);
      writeVarint(out, 0);
    }

    Node withoutRack() {
      return new Node(id, host, port, null);
    }
  }

  /** Whether this is the usual end: no end points and no tagged fields. Allocates nothing. */
  static boolean isEmpty(boolean tagged, ByteBuf in, int from, int bytes) {
    return tagged
        ? bytes == 1 && in.getByte(from) == 0
        : bytes == 2 && in.getByte(from) == 1 && in.getByte(from + 1) == 0;
  }

  /** Reads all of the bytes; throws some unchecked exception if they do not parse. */
  static EndpointTail read(boolean tagged, ByteBuffer bytes) {
    var in = new ByteBufferAccessor(bytes);
    var nodes = new ArrayList<Node>();
    var others = new ArrayList<RawTaggedField>();
    if (!tagged) {
      readNodes(in, nodes);
    }
    readTags(in, others);
    if (tagged && !others.isEmpty() && others.getFirst().tag() == END_POINTS_TAG) {
      var field = new ByteBufferAccessor(ByteBuffer.wrap(others.removeFirst().data()));
      readNodes(field, nodes);
      mustBeAtEnd(field);
    }
    mustBeAtEnd(in);
    return new EndpointTail(tagged, nodes, others);
  }

  private static void readNodes(ByteBufferAccessor in, List<Node> nodes) {
    var count = in.readUnsignedVarint() - 1;
    if (count < 0) {
      throw new IllegalArgumentException("expected end points, found null");
    }
    for (var i = 0; i < count; i++) {
      nodes.add(Node.read(in));
    }
  }

  /** Tags ascend strictly (KIP-482), so that the end points cannot be there twice. */
  private static void readTags(ByteBufferAccessor in, List<RawTaggedField> into) {
    var last = -1;
    var count = in.readUnsignedVarint();
    for (var i = 0; i != count; i++) {
      var tag = in.readUnsignedVarint();
      if (tag <= last) {
        throw new IllegalArgumentException("expected a tag above " + last + ", found " + tag);
      }
      last = tag;
      in.readUnknownTaggedField(into, tag, in.readUnsignedVarint());
    }
  }

  private static void mustBeAtEnd(ByteBufferAccessor in) {
    if (in.remaining() > 0) {
      throw new IllegalArgumentException("expected the end, found " + in.remaining() + " bytes");
    }
  }

  /** The same with the addresses that clients can reach; without brokers that have none. */
  EndpointTail replaced(NodeAddresses addresses, NodesSeen seen) {
    var here = new ArrayList<Node>(nodes.size());
    for (var node : nodes) {
      if (node.id >= 0 && !node.host.isEmpty() && node.port >= 1 && node.port <= 65_535) {
        seen.seen(node.id, node.host, node.port, node.rack);
      }
      var address = addresses.advertised(node.id);
      if (address != null) {
        here.add(new Node(node.id, address.host(), address.port(), node.rack));
      }
    }
    return new EndpointTail(tagged, here, others);
  }

  /** Writes all of it; the caller owns the buffer. */
  ByteBuf write(ByteBufAllocator allocator) {
    var length = bytes(0);
    return write(allocator, length, Filler.NONE);
  }

  /**
   * Writes as much of it as fits into exactly this many bytes: the length of the bytes that it was
   * read from. The caller owns the buffer.
   */
  ByteBuf writeWithin(int length, ByteBufAllocator allocator) {
    var shrinking = this;
    while (true) {
      var filler = shrinking.fillerUpTo(length);
      if (filler != null) {
        return shrinking.write(allocator, length, filler);
      }
      shrinking = shrinking.shrunk();
    }
  }

  /** Without racks, if there are any; else without the last end point. */
  private EndpointTail shrunk() {
    if (nodes.isEmpty()) {
      throw new IllegalStateException("expected room for no end points at all, found none");
    }
    if (nodes.stream().anyMatch(node -> node.rack != null)) {
      return new EndpointTail(tagged, nodes.stream().map(Node::withoutRack).toList(), others);
    }
    return new EndpointTail(tagged, nodes.subList(0, nodes.size() - 1), others);
  }

  /** What makes this exactly so long; null if nothing does. */
  private @Nullable Filler fillerUpTo(int length) {
    if (bytes(0) == length) {
      return Filler.NONE;
    }
    var tag = others.isEmpty() ? FILLER_TAG : Math.max(FILLER_TAG, others.getLast().tag() + 1);
    for (var fields = 1; fields <= 2; fields++) {
      var filler = Filler.of(tag, fields, length - bytes(fields));
      if (filler != null) {
        return filler;
      }
    }
    return null;
  }

  private ByteBuf write(ByteBufAllocator allocator, int length, Filler filler) {
    var out = allocator.buffer(length, length);
    if (!tagged) {
      writeNodes(out);
    }
    writeVarint(out, fields() + filler.fields);
    if (tagged && !nodes.isEmpty()) {
      writeVarint(out, END_POINTS_TAG);
      writeVarint(out, nodesBytes());
      writeNodes(out);
    }
    for (var other : others) {
      writeVarint(out, other.tag());
      writeVarint(out, other.size());
      out.writeBytes(other.data());
    }
    filler.write(out);
    return out;
  }

  private void writeNodes(ByteBuf out) {
    writeVarint(out, nodes.size() + 1);
    nodes.forEach(node -> node.write(out));
  }

  private int fields() {
    return others.size() + (tagged && !nodes.isEmpty() ? 1 : 0);
  }

  private int bytes(int fillerFields) {
    var bytes = varintBytes(fields() + fillerFields);
    if (!tagged) {
      bytes += nodesBytes();
    } else if (!nodes.isEmpty()) {
      bytes += varintBytes(END_POINTS_TAG) + varintBytes(nodesBytes()) + nodesBytes();
    }
    for (var other : others) {
      bytes += varintBytes(other.tag()) + varintBytes(other.size()) + other.size();
    }
    return bytes;
  }

  private int nodesBytes() {
    return varintBytes(nodes.size() + 1) + nodes.stream().mapToInt(Node::bytes).sum();
  }

  /**
   * Unknown tagged fields that take up a given number of bytes. One field cannot have every length
   * (a size of two bytes begins at 128), two can have all from six on.
   */
  private record Filler(int tag, int fields, int lastSize) {

    static final Filler NONE = new Filler(0, 0, 0);

    static @Nullable Filler of(int tag, int fields, int bytes) {
      var heads = 0;
      for (var i = 0; i < fields - 1; i++) {
        heads += varintBytes(tag + i) + 1;
      }
      var last = bytes - heads - varintBytes(tag + fields - 1);
      for (var sizeBytes = 1; sizeBytes <= 3; sizeBytes++) {
        if (last >= sizeBytes && varintBytes(last - sizeBytes) == sizeBytes) {
          return new Filler(tag, fields, last - sizeBytes);
        }
      }
      return null;
    }

    void write(ByteBuf out) {
      for (var i = 0; i < fields; i++) {
        var size = i == fields - 1 ? lastSize : 0;
        writeVarint(out, tag + i);
        writeVarint(out, size);
        out.writeZero(size);
      }
    }
  }

  private static int varintBytes(int value) {
    return (Integer.SIZE - Integer.numberOfLeadingZeros(value | 1) + 6) / 7;
  }

  private static int stringBytes(String text) {
    var bytes = ByteBufUtil.utf8Bytes(text);
    return varintBytes(bytes + 1) + bytes;
  }

  private static void writeString(ByteBuf out, @Nullable String text) {
    if (text == null) {
      writeVarint(out, 0);
      return;
    }
    var bytes = ByteBufUtil.utf8Bytes(text);
    writeVarint(out, bytes + 1);
    ByteBufUtil.reserveAndWriteUtf8(out, text, bytes);
  }

  private static void writeVarint(ByteBuf out, int value) {
    var rest = value;
    while ((rest & ~0x7f) != 0) {
      out.writeByte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.writeByte(rest);
  }
}
