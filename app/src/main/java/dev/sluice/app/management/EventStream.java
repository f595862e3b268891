package dev.sluice.app.management;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client of events: a bounded queue, and the thread of its call, which writes what is in it.
 */
final class EventStream {

  /** A client that is so many events behind is dropped. */
  static final int MAX_WAITING = 256;

  /** A comment goes out when nothing else did for so long, so that a dead client is noticed. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);

  /**
   * What is sent.
   *
   * @param id grows with each event of this proxy
   */
  record Event(long id, String kind, String data) {}

  /** Where events go. Writing may wait as long as the client makes it. */
  interface Client {

    boolean isGone();

    void send(Event event);

    /** Says that it is still there. */
    void remark();
  }

  private static final Event LAST = new Event(0, "", "");

  private final Client client;
  private final BlockingQueue<Event> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private volatile boolean over;
  private volatile @Nullable Thread writer;

  EventStream(Client client) {
    this.client = client;
  }

  /** Never waits; a client whose queue is full is dropped. */
  void offer(Event event) {
    if (!over && !waiting.offer(event)) {
      LOG.atWarn()
          .addKeyValue("waiting", MAX_WAITING)
          .log("A client of events is too slow: dropped");
      end();
    }
  }

  /** Ends the stream, also if its client takes nothing any more. */
  void end() {
    over = true;
    var writing = writer;
    if (writing != null) {
      writing.interrupt();
    }
  }

  /** Ends the stream when all that was offered has been written. */
  void endWhenWritten() {
    offer(LAST);
  }

  /** Writes on the calling thread until the client goes or {@link #end} is called. */
  void write() {
    writer = Thread.currentThread();
    try {
      while (!over && !client.isGone()) {
        var event = waiting.poll(HEARTBEAT.toMillis(), TimeUnit.MILLISECONDS);
        if (event == null) {
          client.remark();
        } else if (event.equals(LAST)) {
          return;
        } else {
          client.send(event);
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      over = true;
      writer = null;
    }
  }
}
