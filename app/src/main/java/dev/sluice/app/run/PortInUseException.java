package dev.sluice.app.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Ports that are needed are in use, or refused for another reason, which is told. */
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

    private Optional<Refusal> refusal() {
      try (var socket = new ServerSocket()) {
        socket.setReuseAddress(true);
        socket.bind(
            address.isEmpty()
                ? new InetSocketAddress(port)
                : new InetSocketAddress(InetAddress.getByName(address), port));
        return Optional.empty();
      } catch (IOException e) {
        return Optional.of(new Refusal(this, e));
      }
    }
  }

  private record Refusal(Wanted wanted, IOException cause) {

    private boolean isBusy() {
      return String.valueOf(cause.getMessage()).contains("already in use");
    }

    private String inWords() {
      return wanted.port() + " (" + wanted.owner() + ")";
    }

    private String withCause() {
      var at = wanted.address().isEmpty() ? "" : " at " + wanted.address();
      return inWords() + at + ": " + cause.getMessage();
    }
  }

  /**
   * Tells all that cannot be listened on, before anything is started.
   *
   * @throws PortInUseException naming them and who needs them
   */
  public static void check(List<Wanted> wanted) {
    var refusals = wanted.stream().map(Wanted::refusal).flatMap(Optional::stream).toList();
    if (!refusals.isEmpty()) {
      throw new PortInUseException(message(refusals));
    }
  }

  private static String message(List<Refusal> refusals) {
    return refusals.stream().allMatch(Refusal::isBusy)
        ? "Expected free ports, found in use: "
            + joined(refusals, Refusal::inWords)
            + "; stop what listens there, or choose others."
        : "Expected ports that this process may listen on, at an address of this machine, found"
            + " refused: "
            + joined(refusals, Refusal::withCause)
            + "; correct the address, or choose other ports.";
  }

  private static String joined(List<Refusal> refusals, Function<Refusal, String> words) {
    return refusals.stream().map(words).collect(Collectors.joining(", "));
  }
}
