package dev.sluice.proxy;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How long tests wait for a fact that comes: not how long it takes, but how long a machine that is
 * full may keep everybody waiting. Found by JUnit in META-INF/services.
 */
public final class Patience implements BeforeAllCallback {

  private static final Duration OF_TESTS = Duration.ofSeconds(60);

  @Override
  public void beforeAll(ExtensionContext tests) {
    Awaitility.setDefaultTimeout(OF_TESTS);
  }
}
