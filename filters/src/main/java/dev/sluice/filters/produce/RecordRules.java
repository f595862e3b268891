package dev.sluice.filters.produce;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.message.ProduceResponseData.BatchIndexAndErrorMessage;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/**
 * What a record must be like.
 *
 * @param maxRecordBytes the largest, uncompressed
 * @param keyRequired whether it must have a key
 * @param requiredHeaders names of headers that it must have
 */
record RecordRules(long maxRecordBytes, boolean keyRequired, List<String> requiredHeaders) {

  /** Bound on the records of one partition that are told by their place. */
  static final int MAX_TOLD = 10;

  /** What is wrong with which records; nothing if they cannot be read: brokers judge those. */
  List<BatchIndexAndErrorMessage> broken(BaseRecords records) {
    var broken = new ArrayList<BatchIndexAndErrorMessage>();
    if (records instanceof MemoryRecords memory) {
      try {
        look(memory, broken);
      } catch (RuntimeException _) {
        broken.clear();
      }
    }
    return broken;
  }

  private void look(MemoryRecords records, List<BatchIndexAndErrorMessage> broken) {
    int index = 0;
    for (var batch : records.batches()) {
      try (var each = batch.streamingIterator(BufferSupplier.NO_CACHING)) {
        while (each.hasNext()) {
          int place = index++;
          var objection = broken.size() < MAX_TOLD ? objection(each.next()) : skipped(each.next());
          objection.ifPresent(
              why ->
                  broken.add(
                      new BatchIndexAndErrorMessage()
                          .setBatchIndex(place)
                          .setBatchIndexErrorMessage(why)));
        }
      }
    }
  }

  private static Optional<String> skipped(Record record) {
    record.ensureValid();
    return Optional.empty();
  }

  private Optional<String> objection(Record record) {
    if (record.sizeInBytes() > maxRecordBytes) {
      return Optional.of(
          "expected a record of at most %d bytes, found one of %d"
              .formatted(maxRecordBytes, record.sizeInBytes()));
    }
    if (keyRequired && !record.hasKey()) {
      return Optional.of("expected a record with a key, found one without");
    }
    return requiredHeaders.stream()
        .filter(name -> Arrays.stream(record.headers()).noneMatch(h -> h.key().equals(name)))
        .findFirst()
        .map(name -> "expected a record with the header '" + name + "', found one without");
  }
}
