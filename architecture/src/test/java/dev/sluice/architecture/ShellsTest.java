package dev.sluice.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/**
 * What the shells may not do: block an event loop, keep state in a static, decide in the wiring.
 */
@AnalyzeClasses(packages = Product.ROOT, importOptions = Product.class)
class ShellsTest {

  /** By owner: what waits for somebody else. */
  private static final Map<String, Set<String>> BLOCKING =
      Map.of(
          "java.lang.Thread", Set.of("sleep", "join"),
          "java.lang.Object", Set.of("wait"),
          "java.lang.Process", Set.of("waitFor"),
          "java.util.concurrent.Future", Set.of("get"),
          "java.util.concurrent.CompletableFuture", Set.of("get", "join"),
          "java.util.concurrent.CountDownLatch", Set.of("await"),
          "java.util.concurrent.BlockingQueue", Set.of("take", "put"),
          "java.util.concurrent.Semaphore", Set.of("acquire"),
          "java.util.concurrent.ExecutorService", Set.of("awaitTermination", "invokeAll"),
          "io.netty.util.concurrent.Future",
              Set.of("await", "awaitUninterruptibly", "sync", "syncUninterruptibly", "get"));

  private static final List<Class<?>> MUTABLE =
      List.of(
          AtomicBoolean.class,
          AtomicInteger.class,
          AtomicLong.class,
          AtomicReference.class,
          LongAdder.class,
          ThreadLocal.class,
          ConcurrentMap.class,
          Queue.class,
          ArrayList.class,
          HashMap.class,
          HashSet.class);

  @ArchTest
  static final ArchRule the_proxy_never_blocks_an_event_loop =
      noClasses()
          .that()
          .resideInAPackage("dev.sluice.proxy..")
          .should()
          .accessTargetWhere(describe("waits for somebody else", ShellsTest::blocks))
          .because("its code runs on event loops, where everybody waits for the one who waits")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule statics_are_final =
      fields()
          .that()
          .areStatic()
          .and(describe("are written by people", ShellsTest::isWritten))
          .should()
          .beFinal();

  @ArchTest
  static final ArchRule statics_do_not_change =
      noFields()
          .that()
          .areStatic()
          .and(describe("are written by people", ShellsTest::isWritten))
          .should()
          .haveRawType(describe("that changes", ShellsTest::isMutable));

  @Test
  void app_switches_on_a_state_only_to_print_it() {
    var deciding =
        Product.classes().stream()
            .filter(each -> each.getPackageName().startsWith("dev.sluice.app"))
            .filter(each -> !isForPrinting(each))
            .filter(Switches::areOnLifecycleStates)
            .map(JavaClass::getName)
            .toList();
    assertThat(deciding)
        .as("app wires; what depends on a state is decided in lifecycle or planner")
        .isEmpty();
  }

  @Test
  void switches_on_a_state_are_seen_where_there_are_some() {
    var seen =
        Product.classes().stream()
            .filter(each -> each.getPackageName().startsWith("dev.sluice.lifecycle"))
            .filter(Switches::areOnLifecycleStates)
            .map(JavaClass::getSimpleName);
    assertThat(seen).contains("Lifecycle", "StartUp", "Readiness");
  }

  private static boolean isForPrinting(JavaClass each) {
    return each.getSimpleName().matches(".*(Printer|Table|View|Json|Page)");
  }

  private static boolean blocks(JavaAccess<? extends AccessTarget> access) {
    return BLOCKING.entrySet().stream()
        .anyMatch(
            entry ->
                access.getTargetOwner().isAssignableTo(entry.getKey())
                    && entry.getValue().contains(access.getTarget().getName()));
  }

  private static boolean isWritten(JavaField field) {
    return !field.getModifiers().contains(JavaModifier.SYNTHETIC)
        && !field.getName().startsWith("$");
  }

  private static boolean isMutable(JavaClass type) {
    return MUTABLE.stream().anyMatch(type::isAssignableTo);
  }
}
