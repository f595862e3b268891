package dev.sluice.app.command;

import java.util.List;

/** Shows a table again and again. */
sealed interface Watch permits LiveTable, ChangedLines {

  void show(List<String> lines);
}
