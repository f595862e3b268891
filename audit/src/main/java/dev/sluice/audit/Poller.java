package dev.sluice.audit;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A Java consumer of some kind, as its one thread uses it; each call may throw what it throws. */
interface Poller extends AutoCloseable {

  /** Says what it wants to read. */
  void begin();

  /** Waits a moment for records. */
  Iterable<ConsumerRecord<byte[], byte[]>> poll();

  /** Says at the end how far it read, where there is somebody to tell. */
  default void settle() {}

  @Override
  void close();
}
