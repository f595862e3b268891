package dev.sluice.bench;

/**
 * One line from the run to the JVM with the clients.
 *
 * @param verb what to do
 * @param bootstrapServers through which arm
 * @param topic which is made by the first verb and removed by the last
 * @param recordBytes of each record's value
 * @param records how many
 * @param partitions of the topic
 */
record LoadRequest(
    Verb verb,
    String bootstrapServers,
    String topic,
    int recordBytes,
    int records,
    int partitions) {

  enum Verb {
    CREATE,
    PRODUCE,
    CONSUME,
    DELETE
  }

  private static final int FIELDS = 6;

  String line() {
    return "%s %s %s %d %d %d"
        .formatted(verb, bootstrapServers, topic, recordBytes, records, partitions);
  }

  static LoadRequest parse(String line) {
    String[] fields = line.split(" ", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("Expected %d words, found '%s'".formatted(FIELDS, line));
    }
    return new LoadRequest(
        Verb.valueOf(fields[0]),
        fields[1],
        fields[2],
        Integer.parseInt(fields[3]),
        Integer.parseInt(fields[4]),
        Integer.parseInt(fields[5]));
  }
}
