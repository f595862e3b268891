import io.kroxylicious.proxy.KafkaProxy;
import io.kroxylicious.proxy.config.ConfigParser;
import io.kroxylicious.proxy.internal.config.Features;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs the peer with a configuration file; its own launcher is not on Maven Central. */
final class RunKroxylicious {

  private RunKroxylicious() {}

  public static void main(String[] arguments) throws Exception {
    var parser = new ConfigParser();
    var configuration = parser.parseConfiguration(Files.readString(Path.of(arguments[0])));
    try (var proxy = new KafkaProxy(parser, configuration, Features.defaultFeatures())) {
      proxy.startup().block();
    }
  }
}
