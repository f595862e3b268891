package dev.sluice.integration;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An {@link Abuser} and a {@link MoodyUpstream} in a process of their own. It first says where the
 * latter is; a line with an abuse and its {@link Targets} begins it, an empty one ends it, and is
 * answered with how often it was tried and with how many connections. It goes when its standard
 * input ends.
 */
final class AbuserInChild {

  private AbuserInChild() {}

  static void main() throws IOException {
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    @Nullable Abuser abuser = null;
    try (var upstream = new MoodyUpstream()) {
      System.out.println(upstream.endpoint());
      for (var line = in.readLine(); line != null; line = in.readLine()) {
        if (abuser == null) {
          var words = List.of(line.split(" ", -1));
          var targets = Targets.of(words.subList(1, words.size()));
          abuser = Abuse.valueOf(words.getFirst()).begin(targets, upstream);
          System.out.println("begun");
        } else {
          abuser.close();
          System.out.println(abuser.attempts() + " " + abuser.connections());
          abuser = null;
        }
      }
    }
    System.exit(0); // Whatever its threads are at.
  }
}
