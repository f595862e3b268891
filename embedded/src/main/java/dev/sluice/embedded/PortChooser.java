package dev.sluice.embedded;

import java.util.List;
import java.util.stream.IntStream;

/** Chooses ports for servers. */
@FunctionalInterface
interface PortChooser {

  /** As many different ports as wanted. */
  List<Integer> choose(int count);

  /** Any that are free now. */
  static PortChooser byChance() {
    return count -> IntStream.range(0, count).map(_ -> FreePorts.one()).boxed().toList();
  }
}
