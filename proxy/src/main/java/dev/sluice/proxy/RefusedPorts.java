package dev.sluice.proxy;

import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    private String inWords(Map<Integer, String> holders) {
      var why =
          isBusy()
              ? Optional.ofNullable(holders.get(port))
                  .map(holder -> "taken by " + holder)
                  .orElse("already in use")
              : "refused: " + cause.getMessage();
      return "port " + port + " (" + purpose + ") " + why;
    }
  }

  private final transient List<Refused> refused;

  RefusedPorts(List<Refused> refused) {
    super("could not listen on " + refused);
    this.refused = List.copyOf(refused);
  }

  /** Those that somebody else listens on. */
  List<Integer> busy() {
    return refused.stream().filter(Refused::isBusy).map(Refused::port).toList();
  }

  /**
   * What to tell people.
   *
   * @param holders in words, by port, as far as they are known
   */
  SetUpException explained(Map<Integer, String> holders) {
    var ports = Listed.of(refused, one -> one.inWords(holders));
    return refused.stream().allMatch(Refused::isBusy)
        ? new SetUpException(
            "port-busy",
            "expected free ports to listen on, found "
                + ports
                + "; free them or choose others, then try again")
        : new SetUpException(
            "bind-failed",
            "expected ports that this process may listen on, at an address of this machine, found "
                + ports
                + "; correct bindAddress or the ports, then try again");
  }
}
