package dev.sluice.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** No edge of the transition table without a test that is named after it. */
class EdgesTest {

  @Test
  void every_edge_of_the_table_is_walked_by_a_named_test() throws ReflectiveOperationException {
    var walked = new TreeSet<Edge>();
    var setUp = new SetUpTest();
    var reload = new ReloadTest();
    var drain = new DrainTest();
    runTestsOf(setUp);
    runTestsOf(reload);
    runTestsOf(drain);
    walked.addAll(setUp.walker.walked());
    walked.addAll(reload.walker.walked());
    walked.addAll(drain.walker.walked());
    assertThat(walked).isEqualTo(Edge.all());
  }

  private static void runTestsOf(Object tests) throws ReflectiveOperationException {
    for (var method : tests.getClass().getDeclaredMethods()) {
      if (method.isAnnotationPresent(Test.class)) {
        method.invoke(tests);
      }
    }
  }
}
