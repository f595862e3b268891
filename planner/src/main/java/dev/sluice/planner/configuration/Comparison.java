package dev.sluice.planner.configuration;

import dev.sluice.planner.configuration.ActualEntry.Source;
import dev.sluice.planner.configuration.KeyKind.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares key by key. Lives as long as one comparison. */
final class Comparison {

  private final Desired desired;
  private final Actual actual;
  private final KeyTable table;
  private final List<Operation> operations = new ArrayList<>();
  private final List<String> readOnly = new ArrayList<>();
  private final List<String> unknown = new ArrayList<>();

  Comparison(Desired desired, Actual actual, KeyTable table) {
    this.desired = desired;
    this.actual = actual;
    this.table = table;
  }

  Differences differences() {
    SortedSet<String> keys = new TreeSet<>(desired.values().keySet());
    keys.addAll(actual.entries().keySet());
    for (String key : keys) {
      if (!desired.ignores(key)) {
        // A key that Kafka does not know is a plug-in's: nobody here can tell what a change means.
        table.kind(key).filter(this::isRead).ifPresent(kind -> compare(key, kind));
      }
    }
    return new Differences(operations, readOnly, unknown);
  }

  private boolean isRead(KeyKind kind) {
    return (actual.broker() && kind.forBrokers()) || (actual.controller() && kind.forControllers());
  }

  private void compare(String key, KeyKind kind) {
    ActualEntry entry = actual.entries().get(key);
    String wanted = desired.values().get(key);
    if (wanted == null) {
      if (entry != null) {
        compareWithNothing(key, kind, entry);
      }
      return;
    }
    if (kind.form() == Form.SECRET) {
      unknown.add(key);
      return;
    }
    String found = entry == null || entry.value() == null ? kind.defaultValue() : entry.value();
    if (!same(kind, wanted, found)) {
      change(key, kind, wanted, entry);
    }
  }

  private void change(String key, KeyKind kind, String wanted, @Nullable ActualEntry entry) {
    boolean secret = kind.form() == Form.SECRET;
    switch (kind.scope()) {
      case READ_ONLY -> readOnly.add(key);
      case PER_BROKER -> operations.add(new Operation.Set(key, kind.scope(), wanted, secret));
      case CLUSTER_WIDE -> {
        if (entry != null && entry.source() == Source.DYNAMIC_BROKER) {
          operations.add(
              new Operation.Delete(key, Scope.PER_BROKER)); // it would hide the new value
        }
        operations.add(new Operation.Set(key, kind.scope(), wanted, secret));
      }
    }
  }

  /** Nothing is desired: a dynamic value is taken away, a static one needs a start without it. */
  private void compareWithNothing(String key, KeyKind kind, ActualEntry entry) {
    if (entry.source() == Source.DEFAULT) {
      return;
    }
    if (entry.value() != null && same(kind, entry.value(), kind.defaultValue())) {
      return;
    }
    if (kind.form() == Form.SECRET) {
      unknown.add(key);
    } else if (entry.source() == Source.STATIC || kind.scope() == Scope.READ_ONLY) {
      readOnly.add(key);
    } else if (entry.source() == Source.DYNAMIC_BROKER) {
      operations.add(new Operation.Delete(key, Scope.PER_BROKER));
    } else {
      operations.add(new Operation.Delete(key, Scope.CLUSTER_WIDE));
    }
  }

  private static boolean same(KeyKind kind, String wanted, @Nullable String found) {
    return found != null && kind.form().same(wanted, found);
  }
}
