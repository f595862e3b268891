package dev.sluice.bench;

import java.util.List;

/**
 * One line from the run to the JVM with the clients.
 *
 * @param verb what to do
 * @param bootstrapServers through which arm
 * @param trust whom clients believe, a file in PEM; {@link #PLAIN}: they speak no TLS
 * @param pid of the arm's process; 0 if there is none
 * @param topic which is made by the first verb and removed by the last
 * @param records what is sent
 * @param amount how much of it, as the verb has it
 * @param perSecond how many, where that is given; else 0
 * @param lingerMillis how long a batch may wait for more
 */
record LoadRequest(
    Verb verb,
    String bootstrapServers,
    String trust,
    long pid,
    String topic,
    Workload.Records records,
    int amount,
    double perSecond,
    int lingerMillis) {

  enum Verb {
    /** Makes the topic. */
    CREATE,
    /** So many records, of which a fifth comes before what counts. */
    PRODUCE,
    /** The same, read back. */
    CONSUME,
    /** Open loop, for so many seconds. More figures: latency at 50, 99 and 99.9 % in ms. */
    PACE,
    /** Requests of so many bytes in a closed loop. More figures: how many requests. */
    ASK,
    /** Connections up to that number, which ask once and keep silent. */
    OPEN,
    /** So many of these connections ask what is answered late; 1 of them waits for it. */
    LINGER,
    /** All of these connections are closed. */
    CLOSE,
    /** Removes the topic. */
    DELETE
  }

  static final String PLAIN = "-";

  /** As Kafka's producers have it by default. */
  static final int USUAL_LINGER_MILLIS = 5;

  private static final int FIELDS = 10;

  String line() {
    return String.join(
        " ",
        List.of(
            verb.name(),
            bootstrapServers,
            trust,
            Long.toString(pid),
            topic,
            Integer.toString(records.bytes()),
            Integer.toString(records.partitions()),
            Integer.toString(amount),
            Double.toString(perSecond),
            Integer.toString(lingerMillis)));
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
        Long.parseLong(fields[3]),
        fields[4],
        new Workload.Records(Integer.parseInt(fields[5]), Integer.parseInt(fields[6]), 1),
        Integer.parseInt(fields[7]),
        Double.parseDouble(fields[8]),
        Integer.parseInt(fields[9]));
  }

  LoadRequest as(Verb other) {
    return new LoadRequest(
        other, bootstrapServers, trust, pid, topic, records, amount, perSecond, lingerMillis);
  }

  LoadRequest paced(int seconds, double rate, int linger) {
    return new LoadRequest(
        Verb.PACE, bootstrapServers, trust, pid, topic, records, seconds, rate, linger);
  }
}
