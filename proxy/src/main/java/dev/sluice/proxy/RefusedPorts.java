package dev.sluice.proxy;

import java.util.List;

/** Some ports could not be listened on, so none is. */
final class RefusedPorts extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * One of them.
   *
   * @param purpose what it was for, as in {@code node 1 of gateway local}
   */
  record Refused(int port, String purpose, Throwable cause) {

    static Refused at(Entrance entrance, Throwable cause) {
      return new Refused(entrance.at().getPort(), entrance.purpose(), cause);
    }

    /** The system says so in one wording for every socket, whatever the transport. */
    boolean isBusy() {
      var message = cause.getMessage();
      return message != null && message.contains("already in use");
    }

    private String inWords() {
      var why =
          isBusy()
              ? PortHolder.of(port).map(holder -> "taken by " + holder).orElse("already in use")
              : "refused: " + cause.getMessage();
      return "port " + port + " (" + purpose + ") " + why;
    }
  }

  private final transient List<Refused> refused;

  RefusedPorts(List<Refused> refused) {
    super("could not listen on " + refused);
    this.refused = List.copyOf(refused);
  }

  /** What to tell people. Blocks while it looks who holds the ports. */
  SetUpException explained() {
    var ports = Listed.of(refused, Refused::inWords);
    return refused.stream().allMatch(Refused::isBusy)
        ? new SetUpException(
            "port-busy",
            "expected free ports to listen on, found "
                + ports
                + "; free them or choose others, and retry")
        : new SetUpException(
            "bind-failed",
            "expected ports that this process may listen on, at an address of this machine, found "
                + ports
                + "; correct bindAddress or the ports, and retry");
  }
}
