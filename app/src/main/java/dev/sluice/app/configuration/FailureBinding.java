package dev.sluice.app.configuration;

import dev.sluice.app.configuration.EscalationSpec.Argument;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.FailurePolicy.Retry;
import dev.sluice.lifecycle.FailurePolicy.Serve;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** From {@code proxy.onVirtualClusterFailure} to its records. */
final class FailureBinding {

  private static final int DEFAULT_MAX_RETRIES = 3;
  private static final Duration DEFAULT_BACKOFF = Duration.ofSeconds(5);
  private static final Duration DEFAULT_MAX_BACKOFF = Duration.ofMinutes(1);
  private static final Pattern PLACE = Pattern.compile("(?<!%)(?:%%)*%s");
  private static final String DEFAULT_MESSAGE_FORMAT = "%s failed with %s";
  private static final List<Argument> DEFAULT_ARGS =
      List.of(Argument.VIRTUAL_CLUSTER, Argument.EXCEPTION_MESSAGE);

  private FailureBinding() {}

  static FailurePolicy policy(Entry root) {
    var entry = entry(root);
    var serve =
        entry
            .text("serve")
            .filter("remaining"::equals)
            .map(_ -> Serve.REMAINING)
            .orElse(Serve.NONE);
    return new FailurePolicy(
        serve, entry.has("retry") ? Optional.of(retry(entry.entry("retry"))) : Optional.empty());
  }

  private static Retry retry(Entry entry) {
    var maxRetries = entry.integer("maxRetries").orElse(DEFAULT_MAX_RETRIES);
    var backoff = entry.duration("backoff").orElse(DEFAULT_BACKOFF);
    var maxBackoff = entry.duration("maxBackoff").orElse(DEFAULT_MAX_BACKOFF);
    if (maxBackoff.compareTo(backoff) >= 0) {
      return new Retry(maxRetries, backoff, maxBackoff);
    }
    if (entry.has("maxBackoff")) {
      entry.error(
          "maxBackoff",
          "expected at least backoff, which is "
              + Quantities.shown(backoff)
              + ", found "
              + entry.shown("maxBackoff"));
    }
    return new Retry(maxRetries, backoff, backoff);
  }

  static Optional<EscalationSpec> escalation(Entry root) {
    var entry = entry(root).entry("escalate");
    var url = entry.text("url").flatMap(text -> url(entry, text));
    var format = entry.text("messageFormat").orElse(DEFAULT_MESSAGE_FORMAT);
    var args = entry.texts("args").map(FailureBinding::arguments).orElse(DEFAULT_ARGS);
    checkFormat(entry, format, args);
    return url.map(u -> new EscalationSpec(u, format, args));
  }

  private static Entry entry(Entry root) {
    return root.entry("proxy").entry("onVirtualClusterFailure");
  }

  private static Optional<URI> url(Entry entry, String text) {
    try {
      var url = new URI(text);
      if (url.getHost() != null) {
        return Optional.of(url);
      }
    } catch (URISyntaxException _) {
      // Told below, without the text of the exception: it repeats the URL, which may hold a secret.
    }
    entry.error("url", "expected an http or https URL with a host, found " + entry.shown("url"));
    return Optional.empty();
  }

  private static List<Argument> arguments(List<String> texts) {
    return texts.stream()
        .flatMap(text -> Arrays.stream(Argument.values()).filter(a -> a.name().equals(text)))
        .toList();
  }

  private static void checkFormat(Entry entry, String format, List<Argument> args) {
    var places = PLACE.matcher(format).results().count();
    if (places != args.size()) {
      entry.error(
          entry.has("messageFormat") ? "messageFormat" : "args",
          "expected one %s for each of args, found " + places + " %s and " + args.size() + " args");
    }
  }
}
