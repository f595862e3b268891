package dev.sluice.filter;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** What is set: a value for each setting of a type. Immutable. */
public final class Settings {

  private final Map<String, Object> values;

  private Settings(Map<String, Object> values) {
    this.values = values;
  }

  /**
   * Completes what was set.
   *
   * @param known the settings of the type
   * @param set values by name; each of the Java type that its setting's kind says
   * @throws IllegalArgumentException if one is unknown, is missing, or is objected to
   */
  public static Settings of(List<Setting<?>> known, Map<String, ?> set) {
    var values = new HashMap<String, Object>();
    for (var setting : known) {
      var value = set.containsKey(setting.name()) ? set.get(setting.name()) : setting.fallback();
      if (value == null) {
        throw new IllegalArgumentException(
            "expected the key '" + setting.name() + "', which is missing");
      }
      setting
          .objection(value)
          .ifPresent(
              expected -> {
                throw new IllegalArgumentException(
                    "expected '%s' to be %s, found %s".formatted(setting.name(), expected, value));
              });
      values.put(setting.name(), value);
    }
    for (var name : set.keySet()) {
      if (!values.containsKey(name)) {
        throw new IllegalArgumentException(
            "expected one of " + known.stream().map(Setting::name).toList() + ", found " + name);
      }
    }
    return new Settings(Map.copyOf(values));
  }

  /** The value of a setting of the type. */
  public <T> T get(Setting<T> setting) {
    return setting.typed(Objects.requireNonNull(values.get(setting.name()), setting.name()));
  }

  /**
   * A digest of all that is set, in hexadecimal digits: equal for equal settings, in this process
   * and in others, and of no use to find the values out unless they can be guessed.
   */
  public String digest() {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      var text = new TreeMap<>(values).toString();
      return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("expected every JDK to have SHA-256", e);
    }
  }

  /** Settings are equal if all that is set is: a filter need not be replaced. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Settings settings && values.equals(settings.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  /** The names, not the values: some may be secret. */
  @Override
  public String toString() {
    return "Settings" + values.keySet();
  }
}
