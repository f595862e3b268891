package dev.sluice.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** How things are called, and that every package says what null means in it. */
@AnalyzeClasses(packages = Product.ROOT, importOptions = Product.class)
class NamesTest {

  private static final String SAYS_NOTHING =
      ".*(Manager|Helper|Helpers|Util|Utils|Impl|Context|Data|Info)|Abstract.*";

  @ArchTest
  static final ArchRule a_name_says_what_a_thing_is =
      noClasses().should(be(describe("named as what says nothing", NamesTest::saysNothing)));

  @ArchTest
  static final ArchRule a_handler_is_one_of_netty =
      classes()
          .that()
          .haveSimpleNameEndingWith("Handler")
          .should()
          .beAssignableTo("io.netty.channel.ChannelHandler")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule what_is_simulated_stays_in_simulation =
      classes()
          .that()
          .haveSimpleNameStartingWith("Sim")
          .and(describe("are fakes", each -> each.getSimpleName().matches("Sim[A-Z].*")))
          .should()
          .resideInAPackage("dev.sluice.simulation..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule a_package_is_named_after_what_is_in_it =
      noClasses()
          .should()
          .resideInAnyPackage("..util..", "..utils..", "..impl..", "..internal..", "..common..");

  @Test
  void every_package_says_what_null_means_in_it() {
    var unmarked = new TreeSet<String>();
    for (JavaClass each : Product.classes()) {
      JavaPackage owner = each.getPackage();
      if (!owner.isAnnotatedWith(NullMarked.class)) {
        unmarked.add(owner.getName());
      }
    }
    assertThat(List.copyOf(unmarked)).as("packages without @NullMarked").isEmpty();
  }

  private static boolean saysNothing(JavaClass each) {
    return each.getSimpleName().matches(SAYS_NOTHING);
  }
}
