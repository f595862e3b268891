package dev.sluice.app.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.stream.Collectors;

/** Ports that are needed are in use. */
public final class PortInUseException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private PortInUseException(String message) {
    super(message);
  }

  /**
   * A port that is needed.
   *
   * @param address empty: all local addresses
   * @param port 0: any, which is always free
   * @param owner who needs it
   */
  public record Wanted(String address, int port, String owner) {

    private boolean isBusy() {
      try (var socket = new ServerSocket()) {
        socket.setReuseAddress(true);
        socket.bind(
            address.isEmpty()
                ? new InetSocketAddress(port)
                : new InetSocketAddress(InetAddress.getByName(address), port));
        return false;
      } catch (IOException _) {
        return true;
      }
    }
  }

  /**
   * Tells all that cannot be listened on, before anything is started.
   *
   * @throws PortInUseException naming them and who needs them
   */
  public static void check(List<Wanted> wanted) {
    var busy =
        wanted.stream()
            .filter(Wanted::isBusy)
            .map(w -> w.port() + " (" + w.owner() + ")")
            .collect(Collectors.joining(", "));
    if (!busy.isEmpty()) {
      throw new PortInUseException(
          "Expected free ports, found in use: "
              + busy
              + "; stop what listens there, or choose others.");
    }
  }
}
