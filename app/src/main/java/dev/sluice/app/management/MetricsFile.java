package dev.sluice.app.management;

import dev.sluice.planner.Plan;
import dev.sluice.roller.Actuator;
import dev.sluice.roller.Look;
import dev.sluice.roller.Outcome;
import dev.sluice.roller.RollListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves the metrics of a roll in a file, for a collector that reads files: a roll that has halted
 * is a process that is no more, and nobody could ask it. A file that cannot be written is logged
 * and never disturbs the roll.
 */
public final class MetricsFile implements RollListener {

  private static final Logger LOG = LoggerFactory.getLogger(MetricsFile.class);

  private final Path file;
  private final Supplier<String> scrape;

  /**
   * @param file replaced as a whole, so that nobody reads half of it
   * @param scrape the metrics in Prometheus' text format
   */
  public MetricsFile(Path file, Supplier<String> scrape) {
    this.file = file.toAbsolutePath();
    this.scrape = scrape;
  }

  @Override
  public void decided(Look look, Plan plan) {
    write();
  }

  @Override
  public void acted(Plan.Act act, List<Actuator.Performed> performed) {
    write();
  }

  @Override
  public void ended(Outcome outcome) {
    write();
  }

  private void write() {
    var fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.writeString(fresh, scrape.get());
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      LOG.atWarn()
          .addKeyValue("file", file)
          .addKeyValue("found", e.toString())
          .log("The metrics of the roll could not be written");
    }
  }
}
