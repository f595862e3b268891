package dev.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A fence that nobody can run into is none: each sees an offender, and they see every module. */
class FencesTest {

  private static final JavaClasses OFFENDERS =
      new ClassFileImporter()
          .importPackages("dev.sluice.lifecycle.offender", "dev.sluice.proxy.offender");

  @ParameterizedTest
  @MethodSource("fences")
  void a_fence_sees_an_offender(ArchRule fence) {
    assertThat(fence.evaluate(OFFENDERS).hasViolation()).isTrue();
  }

  @Test
  void the_fences_look_at_every_module() {
    assertThat(Product.classes().stream().map(JavaClass::getPackageName))
        .contains(
            "dev.sluice.lifecycle",
            "dev.sluice.planner",
            "dev.sluice.protocol",
            "dev.sluice.filter",
            "dev.sluice.filters.prefix",
            "dev.sluice.proxy",
            "dev.sluice.roller",
            "dev.sluice.kubernetes",
            "dev.sluice.embedded",
            "dev.sluice.app",
            "dev.sluice.simulation");
  }

  static Stream<ArchRule> fences() {
    return Stream.of(
        PureModulesTest.they_stand_on_the_language_alone,
        PureModulesTest.they_have_no_thread_no_process_no_timer_no_clock,
        PureModulesTest.they_read_no_clock_and_roll_no_dice,
        PureModulesTest.they_print_nothing,
        DirectionsTest.proxy_stands_on_lifecycle_and_protocol,
        ShellsTest.the_proxy_never_blocks_an_event_loop,
        ShellsTest.statics_are_final,
        ShellsTest.statics_do_not_change,
        NamesTest.a_name_says_what_a_thing_is,
        NamesTest.a_handler_is_one_of_netty);
  }
}
