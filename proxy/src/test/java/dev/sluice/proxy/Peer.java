package dev.sluice.proxy;

import dev.sluice.protocol.Endpoint;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;

/** One end of a real connection that does to it whatever a test wants. */
final class Peer implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Socket socket;
  private final InputStream in;

  Peer(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    this.in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
  }

  static Peer connect(Endpoint endpoint) throws IOException {
    return connect(endpoint, new Socket());
  }

  static Peer connect(Endpoint endpoint, Socket socket) throws IOException {
    socket.connect(new InetSocketAddress(endpoint.host(), endpoint.port()));
    return new Peer(socket);
  }

  Peer write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    return this;
  }

  Peer write(byte[] bytes, int from, int to) throws IOException {
    socket.getOutputStream().write(bytes, from, to - from);
    return this;
  }

  /** The next frame, its length included; empty at the end. */
  Optional<byte[]> tryFrame() throws IOException {
    synchronized (in) {
      return nextFrame();
    }
  }

  private Optional<byte[]> nextFrame() throws IOException {
    var length = in.readNBytes(Integer.BYTES);
    if (length.length < Integer.BYTES) {
      return Optional.empty();
    }
    int bytes = ByteBuffer.wrap(length).getInt();
    var body = in.readNBytes(bytes);
    if (body.length < bytes) {
      return Optional.empty();
    }
    return Optional.of(ByteBuffer.allocate(Integer.BYTES + bytes).put(length).put(body).array());
  }

  byte[] frame() throws IOException {
    return tryFrame().orElseThrow(() -> new IOException("expected a frame, found the end"));
  }

  int read() throws IOException {
    return in.read();
  }

  byte[] read(int bytes) throws IOException {
    return in.readNBytes(bytes);
  }

  /** All bytes up to the other side's end; a reset is an exception. */
  byte[] readToEnd() throws IOException {
    var all = new ByteArrayOutputStream();
    in.transferTo(all);
    return all.toByteArray();
  }

  /** Whether anything comes before the end, which is waited for and not consumed. */
  boolean hasMore() {
    synchronized (in) { // Whoever wants a frame meanwhile would take what is to be put back.
      try {
        in.mark(1);
        boolean more = in.read() >= 0;
        in.reset();
        return more;
      } catch (IOException e) {
        return false;
      }
    }
  }

  /** Whether the stream begins with these bytes; then they are consumed. */
  boolean skipIfNext(byte[] bytes) throws IOException {
    in.mark(bytes.length);
    for (byte expected : bytes) {
      if (in.read() != (expected & 0xFF)) {
        in.reset();
        return false;
      }
    }
    return true;
  }

  Peer halfClose() throws IOException {
    socket.shutdownOutput();
    return this;
  }

  /** Closes, before the test is over. */
  void leave() throws IOException {
    socket.close();
  }

  /** Closes with RST. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  Socket socket() {
    return socket;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
