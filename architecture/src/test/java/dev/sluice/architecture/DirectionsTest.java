package dev.sluice.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What may depend on what: the directions of the architecture page. */
@AnalyzeClasses(packages = Product.ROOT, importOptions = Product.class)
class DirectionsTest {

  private static final String LIFECYCLE = "dev.sluice.lifecycle..";
  private static final String PLANNER = "dev.sluice.planner..";
  private static final String PROTOCOL = "dev.sluice.protocol..";
  private static final String PROXY = "dev.sluice.proxy..";
  private static final String ROLLER = "dev.sluice.roller..";
  private static final String KUBERNETES = "dev.sluice.kubernetes..";
  private static final String FILTER_API = "dev.sluice.filter..";
  private static final String FILTERS = "dev.sluice.filters..";
  private static final String EMBEDDED = "dev.sluice.embedded..";
  private static final String AUDIT = "dev.sluice.audit..";
  private static final String APP = "dev.sluice.app..";
  private static final String SIMULATION = "dev.sluice.simulation..";
  private static final String KAFKA_CLIENTS = "org.apache.kafka.clients..";
  private static final String NETTY = "io.netty..";

  @ArchTest
  static final ArchRule protocol_knows_the_wire_and_no_policy =
      onlyOf(PROTOCOL, PROTOCOL, FILTER_API);

  @ArchTest
  static final ArchRule protocol_has_no_socket =
      noClasses()
          .that()
          .resideInAPackage(PROTOCOL)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.netty.channel..", "java.net..", "java.nio.channels..")
          .because("bytes come in and go out; where from and where to is the proxy's")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule proxy_stands_on_lifecycle_and_protocol =
      onlyOf(PROXY, PROXY, LIFECYCLE, PROTOCOL, FILTER_API);

  @ArchTest static final ArchRule roller_stands_on_planner = onlyOf(ROLLER, ROLLER, PLANNER);

  @ArchTest
  static final ArchRule kubernetes_stands_on_roller =
      onlyOf(KUBERNETES, KUBERNETES, ROLLER, PLANNER);

  @ArchTest static final ArchRule filter_api_stands_alone = onlyOf(FILTER_API, FILTER_API);

  @ArchTest
  static final ArchRule filters_stand_on_filter_api_as_a_strangers_would =
      onlyOf(FILTERS, FILTERS, FILTER_API);

  @ArchTest static final ArchRule embedded_clusters_stand_alone = onlyOf(EMBEDDED, EMBEDDED);

  @ArchTest static final ArchRule audit_stands_alone = onlyOf(AUDIT, AUDIT);

  @ArchTest
  static final ArchRule simulation_stands_on_the_pure_modules =
      onlyOf(SIMULATION, SIMULATION, LIFECYCLE, PLANNER);

  @ArchTest
  static final ArchRule nobody_stands_on_app =
      noClasses()
          .that()
          .resideOutsideOfPackage(APP)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(APP)
          .because("app wires the others")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule nothing_of_the_product_stands_on_its_simulation =
      noClasses()
          .that()
          .resideOutsideOfPackage(SIMULATION)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(SIMULATION)
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule the_data_path_has_no_kafka_client =
      noClasses()
          .that()
          .resideInAnyPackage(PROTOCOL, PROXY, FILTER_API, FILTERS)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(KAFKA_CLIENTS)
          .because("the proxy speaks the protocol itself")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule the_roller_has_no_netty =
      noClasses()
          .that()
          .resideInAnyPackage(ROLLER, KUBERNETES)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(NETTY)
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule only_kubernetes_knows_kubernetes =
      noClasses()
          .that()
          .resideOutsideOfPackage(KUBERNETES)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.fabric8..")
          .allowEmptyShould(true);

  /** The witness of an audit reads what clients log: docs/adr/0081. */
  @ArchTest
  static final ArchRule only_app_and_the_audits_witness_know_a_logging_back_end =
      noClasses()
          .that()
          .resideOutsideOfPackage(APP)
          .and()
          .haveNameNotMatching("dev\\.sluice\\.audit\\.LogbackSource(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("ch.qos.logback..", "org.apache.logging..", "java.util.logging..")
          .because("SLF4J is what modules log to")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule modules_make_no_circle =
      slices().matching("dev.sluice.(*)..").should().beFreeOfCycles().allowEmptyShould(true);

  /** Of the product, this module uses nothing but these. */
  private static ArchRule onlyOf(String module, String... allowed) {
    return noClasses()
        .that()
        .resideInAPackage(module)
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("dev.sluice..").and(not(resideInAnyPackage(allowed))))
        .allowEmptyShould(true);
  }
}
