package dev.sluice.app.configuration;

import java.net.URI;
import java.util.List;

/**
 * Whom to tell when a virtual cluster fails.
 *
 * @param url http or https; receives a POST
 * @param messageFormat for {@link String#format}, with one {@code %s} for each argument
 * @param args what stands for the {@code %s}, in order
 */
public record EscalationSpec(URI url, String messageFormat, List<Argument> args) {

  public EscalationSpec {
    args = List.copyOf(args);
  }

  /** What a message can tell. */
  public enum Argument {
    VIRTUAL_CLUSTER,
    EXCEPTION_MESSAGE
  }
}
