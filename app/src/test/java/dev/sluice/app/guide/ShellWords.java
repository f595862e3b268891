package dev.sluice.app.guide;

import java.util.ArrayList;
import java.util.List;

/** A line for a shell, as far as pages have such lines: quotes, comments, pipes. */
final class ShellWords {

  private ShellWords() {}

  /** The commands of a line, each as its words. */
  static List<List<String>> of(String line) {
    var commands = new ArrayList<List<String>>();
    var words = new ArrayList<String>();
    var word = new StringBuilder();
    boolean inWord = false;
    char quote = 0;
    for (char c : (line + "\n").toCharArray()) {
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c);
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
        inWord = true;
      } else if (c == '#' && !inWord) {
        break;
      } else if (Character.isWhitespace(c) || c == '|' || c == ')') {
        if (inWord) {
          words.add(word.toString());
          word.setLength(0);
          inWord = false;
        }
        if (c == '|') {
          commands.add(List.copyOf(words));
          words.clear();
        }
      } else if (c == '(') {
        word.setLength(0);
        inWord = false;
        words.clear();
      } else {
        word.append(c);
        inWord = true;
      }
    }
    if (!words.isEmpty()) {
      commands.add(List.copyOf(words));
    }
    return commands;
  }
}
