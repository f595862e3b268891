package dev.sluice.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** What the fences look at: every class of the product, no test of it. */
final class Product implements ImportOption {

  static final String ROOT = "dev.sluice";

  @Override
  public boolean includes(Location location) {
    return new DoNotIncludeTests().includes(location)
        && !location.contains("-tests.jar")
        && !location.contains("/dev/sluice/architecture/");
  }

  static JavaClasses classes() {
    return new ClassFileImporter().withImportOption(new Product()).importPackages(ROOT);
  }
}
