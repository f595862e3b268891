package dev.sluice.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/** A pure module decides. It has no clock, no chance, no thread, no future, no log, no I/O. */
@AnalyzeClasses(packages = Product.ROOT, importOptions = Product.class)
class PureModulesTest {

  private static final String[] PURE = {"dev.sluice.lifecycle..", "dev.sluice.planner.."};

  private static final Set<String> CLOCKS_AND_CHANCE =
      Set.of("now", "currentTimeMillis", "nanoTime", "random", "randomUUID", "identityHashCode");

  @ArchTest
  static final ArchRule they_stand_on_the_language_alone =
      classes()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.sluice.lifecycle..",
              "dev.sluice.planner..",
              "java.lang",
              "java.lang.annotation",
              "java.lang.invoke",
              "java.lang.runtime",
              "java.util",
              "java.util.function",
              "java.util.regex",
              "java.util.stream",
              "java.time..",
              "org.jspecify..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule lifecycle_and_planner_do_not_know_each_other =
      noClasses()
          .that()
          .resideInAPackage("dev.sluice.lifecycle..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.sluice.planner..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule planner_and_lifecycle_do_not_know_each_other =
      noClasses()
          .that()
          .resideInAPackage("dev.sluice.planner..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.sluice.lifecycle..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule they_have_no_thread_no_process_no_timer_no_clock =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.lang.Thread")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.lang.Process")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.util.Timer")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.util.Random")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.time.Clock")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule they_read_no_clock_and_roll_no_dice =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .accessTargetWhere(
              describe(
                  "reads a clock or chance of the JDK",
                  (JavaAccess<? extends AccessTarget> access) ->
                      access.getTargetOwner().getName().startsWith("java.")
                          && CLOCKS_AND_CHANCE.contains(access.getTarget().getName())))
          .because("time and chance are inputs")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule they_print_nothing =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err")
          .allowEmptyShould(true);
}
