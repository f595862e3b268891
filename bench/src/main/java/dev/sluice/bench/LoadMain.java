package dev.sluice.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The JVM with the clients: obeys one {@link LoadRequest} per line of its standard input and
 * answers each with {@code done} and a {@link LoadAnswer}, or {@code failed WHY}; ends with its
 * input. One JVM serves all arms, so that its own warmth favours none.
 */
final class LoadMain {

  static final String DONE = "done ";
  static final String FAILED = "failed ";

  private LoadMain() {}

  public static void main(String[] arguments) throws IOException {
    var answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    var requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var load = new Load();
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      String request = line;
      Thread.ofPlatform().name("load").start(() -> answers.println(obey(load, request)));
    }
    // Whoever asked is no more; what is under way would go on for minutes without a broker.
    Runtime.getRuntime().halt(0);
  }

  private static String obey(Load load, String line) {
    try {
      return DONE + load.obey(LoadRequest.parse(line)).line();
    } catch (Exception e) {
      return FAILED + String.valueOf(e).replace('\n', ' ');
    }
  }
}
