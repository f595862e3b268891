package dev.sluice.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageSizeAccumulator;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/** Requests and responses between Netty's buffers and Kafka's message classes. */
final class Messages {

  private Messages() {}

  /**
   * Reads a response without its length into {@code body}, and returns its header. The buffer's
   * indexes stay. Bytes left over are an error: what was not read cannot be vouched for.
   */
  static ResponseHeaderData read(ByteBuf frame, short headerVersion, ApiMessage body, short version)
      throws MalformedFrameException {
    var key = body.apiKey();
    var header = new ResponseHeaderData();
    int left;
    try {
      left = read(frame, header, headerVersion, body, version);
    } catch (RuntimeException e) {
      throw new MalformedFrameException(
          key, version, frame.readableBytes() + " bytes that do not parse", e);
    }
    if (left > 0) {
      throw new MalformedFrameException(key, version, left + " bytes behind its end");
    }
    return header;
  }

  /**
   * Reads header and body, and returns how many bytes are left. The message classes throw whatever
   * comes up: buffer underflow, index bounds, their own.
   */
  static int read(
      ByteBuf frame, Message header, short headerVersion, ApiMessage body, short version) {
    var in = new ByteBufferAccessor(frame.nioBuffer());
    header.read(in, headerVersion);
    body.read(in, version);
    return in.remaining();
  }

  /** A frame without its length. */
  static ByteBuf content(ByteBuf frame) {
    return frame.slice(
        frame.readerIndex() + FrameCheck.LENGTH_BYTES,
        frame.readableBytes() - FrameCheck.LENGTH_BYTES);
  }

  /**
   * As {@link #framed}, for a message that was read. What was read need not be writable: bytes that
   * are no UTF-8 grow when they are replaced, perhaps beyond what a string's length can say.
   */
  static ByteBuf reframed(
      ResponseHeaderData header,
      short headerVersion,
      ApiMessage body,
      short version,
      ByteBufAllocator allocator)
      throws MalformedFrameException {
    try {
      return framed(header, headerVersion, body, version, allocator);
    } catch (RuntimeException e) {
      throw new MalformedFrameException(body.apiKey(), version, "what cannot be written again", e);
    }
  }

  /** Writes header and body into a new buffer, the length before them. The caller owns it. */
  static ByteBuf framed(
      Message header,
      short headerVersion,
      ApiMessage body,
      short version,
      ByteBufAllocator allocator) {
    var cache = new ObjectSerializationCache();
    var size = new MessageSizeAccumulator();
    header.addSize(size, cache, headerVersion);
    body.addSize(size, cache, version);
    var length = FrameCheck.LENGTH_BYTES + size.totalSize();
    var frame = allocator.buffer(length, length);
    try {
      frame.writeInt(size.totalSize());
      var out = new ByteBufferAccessor(frame.nioBuffer(FrameCheck.LENGTH_BYTES, size.totalSize()));
      header.write(out, cache, headerVersion);
      body.write(out, cache, version);
      return frame.writerIndex(length);
    } catch (RuntimeException | OutOfMemoryError e) {
      frame.release();
      throw e;
    }
  }
}
