package com.example.topiclimit;

import dev.sluice.filter.Filter;
import dev.sluice.filter.FilterFactory;
import dev.sluice.filter.FilterScope;
import dev.sluice.filter.Setting;
import dev.sluice.filter.Settings;
import java.util.List;

/** The type {@code TopicLimit}: how many topics the Kafka cluster may have. */
public final class TopicLimitFactory implements FilterFactory {

  static final Setting<Long> MAX_TOPICS =
      Setting.number("maxTopics", "How many topics there may be; internal ones do not count.")
          .checked(most -> most >= 0, "a number of topics, from 0 on");

  /** For the service loader. */
  public TopicLimitFactory() {}

  @Override
  public String type() {
    return "TopicLimit";
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(MAX_TOPICS);
  }

  @Override
  public Filter create(Settings settings, FilterScope scope) {
    return new TopicLimit(settings.get(MAX_TOPICS), scope.inquirer());
  }
}
