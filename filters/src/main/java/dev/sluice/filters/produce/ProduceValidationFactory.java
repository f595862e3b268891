package dev.sluice.filters.produce;

import dev.sluice.filter.Filter;
import dev.sluice.filter.FilterFactory;
import dev.sluice.filter.FilterScope;
import dev.sluice.filter.Setting;
import dev.sluice.filter.Settings;
import java.util.List;

/** The type {@code ProduceValidation}: a size, a key, headers that records must have. */
public final class ProduceValidationFactory implements FilterFactory {

  /** The largest record, key, value and headers together. */
  public static final Setting<Long> MAX_RECORD_SIZE =
      Setting.size(
              "maxRecordSize",
              "The largest record that is taken, uncompressed: key, value and headers.")
          .orElse((long) Integer.MAX_VALUE)
          .checked(bytes -> bytes > 0, "more than 0 bytes");

  /** Whether a record must have a key. */
  public static final Setting<Boolean> KEY_REQUIRED =
      Setting.onOff("keyRequired", "Whether a record must have a key.").orElse(false);

  /** Headers that every record must have. */
  public static final Setting<List<String>> REQUIRED_HEADERS =
      Setting.texts("requiredHeaders", "Names of headers that every record must have.")
          .orElse(List.of())
          .checked(
              names -> names.size() <= 20 && names.stream().noneMatch(String::isBlank),
              "at most 20 names of headers");

  /** For the service loader. */
  public ProduceValidationFactory() {}

  @Override
  public String type() {
    return "ProduceValidation";
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(MAX_RECORD_SIZE, KEY_REQUIRED, REQUIRED_HEADERS);
  }

  @Override
  public Filter create(Settings settings, FilterScope scope) {
    return new ProduceValidation(
        new RecordRules(
            settings.get(MAX_RECORD_SIZE),
            settings.get(KEY_REQUIRED),
            settings.get(REQUIRED_HEADERS)));
  }
}
