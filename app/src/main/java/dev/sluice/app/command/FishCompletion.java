package dev.sluice.app.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The script with which fish completes commands and options. */
final class FishCompletion {

  /** Words that are no options tell which command it is; what an option is given comes after it. */
  private static final String FUNCTIONS =
      """
      function __sluice_words
        for word in (commandline -opc)[2..-1]
          string match -q -- '-*' $word; or echo $word
        end
      end
      function __sluice_at
        set -l words (__sluice_words)
        test "$words" = "$argv"
      end
      function __sluice_in
        set -l words (__sluice_words)
        string match -q -- "$argv" "$words"; or string match -q -- "$argv *" "$words"
      end
      complete -c sluice -f
      """;

  private final List<String> lines = new ArrayList<>();

  private FishCompletion() {}

  static String of(CommandLine all) {
    var script = new FishCompletion();
    script.add(all, List.of());
    return FUNCTIONS + String.join("\n", script.lines) + "\n";
  }

  private void add(CommandLine command, List<String> path) {
    var words = String.join(" ", path);
    command
        .getSubcommands()
        .forEach(
            (name, each) -> {
              var does = sentence(each.getCommandSpec().usageMessage().description());
              complete("__sluice_at " + words, "-a " + name, does);
              var longer = new ArrayList<>(path);
              longer.add(name);
              add(each, longer);
            });
    var where = path.isEmpty() ? "__sluice_at" : "__sluice_in " + words;
    for (var option : command.getCommandSpec().options()) {
      if (!option.hidden()) {
        complete(where, of(option), sentence(option.description()));
      }
    }
  }

  private void complete(String where, String what, String does) {
    lines.add(
        "complete -c sluice -n %s %s -d %s".formatted(quoted(where.strip()), what, quoted(does)));
  }

  private static String of(OptionSpec option) {
    var names = new ArrayList<String>();
    for (var name : option.names()) {
      names.add(name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1));
    }
    if (option.arity().max() > 0) {
      names.add(argument(option));
    }
    return String.join(" ", names);
  }

  private static String argument(OptionSpec option) {
    var type = option.typeInfo().getType();
    if (type != null && Path.class.isAssignableFrom(type)) {
      return "-r -F";
    }
    var values = option.completionCandidates();
    return values == null
        ? "-x"
        : "-x -a "
            + quoted(
                StreamSupport.stream(values.spliterator(), false).collect(Collectors.joining(" ")));
  }

  /** The first of a description. */
  private static String sentence(String[] description) {
    return description.length == 0 ? "" : description[0].replaceFirst("\\.(\\s.*)?$", "");
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
