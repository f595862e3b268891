package dev.sluice.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/**
 * The supervisor's ear on loopback. One connection carries one request: a line with the token, a
 * line with the request. The answer is {@code ok} or {@code failed REASON}, the lines of the answer
 * and the end of the stream. Who does not know the token is not answered.
 */
final class SupervisorSocket implements AutoCloseable {

  static final String OK = "ok";
  static final String FAILED = "failed ";

  private static final int MOST_CONNECTIONS = 64;
  private static final int MOST_LINE_BYTES = 256;
  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(5);

  /** Who does what is asked for. */
  @FunctionalInterface
  interface Obeying {
    List<String> obey(SupervisorRequest request) throws IOException, InterruptedException;
  }

  private final ServerSocket socket;
  private final String token;
  private final Obeying obeying;
  private final Semaphore connections = new Semaphore(MOST_CONNECTIONS);

  SupervisorSocket(String token, Obeying obeying) throws IOException {
    this.socket = new ServerSocket(0, MOST_CONNECTIONS, InetAddress.getLoopbackAddress());
    this.token = token;
    this.obeying = obeying;
  }

  SupervisorAddress address() {
    return new SupervisorAddress(socket.getLocalPort(), token, ProcessHandle.current().pid());
  }

  /** Serves until closed. */
  void serve() throws IOException {
    while (!socket.isClosed()) {
      try {
        Socket connection = socket.accept();
        if (connections.tryAcquire()) {
          Thread.ofPlatform().daemon().name("request").start(() -> serve(connection));
        } else {
          connection.close();
        }
      } catch (SocketException e) {
        if (!socket.isClosed()) {
          throw e;
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private void serve(Socket connection) {
    try (connection) {
      connection.setSoTimeout((int) REQUEST_LIMIT.toMillis());
      InputStream in = new BufferedInputStream(connection.getInputStream());
      if (isToken(line(in))) {
        String answer = String.join("\n", answer(line(in))) + "\n";
        connection.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      System.err.println("A request was not answered: " + e.getMessage());
    } finally {
      connections.release();
    }
  }

  private List<String> answer(String line) {
    try {
      List<String> lines = obeying.obey(SupervisorRequest.parse(line));
      return Stream.concat(Stream.of(OK), lines.stream()).toList();
    } catch (IOException | RuntimeException e) {
      return List.of(FAILED + String.valueOf(e.getMessage()).replace('\n', ' '));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return List.of(FAILED + "interrupted");
    }
  }

  private boolean isToken(String said) {
    return MessageDigest.isEqual(
        said.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
      if (line.length() == MOST_LINE_BYTES) {
        throw new IOException("Expected a line of at most %d bytes".formatted(MOST_LINE_BYTES));
      }
      line.append((char) b);
    }
    return line.toString();
  }
}
