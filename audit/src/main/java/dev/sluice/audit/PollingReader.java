package dev.sluice.audit;

import java.util.function.Function;
import org.apache.kafka.common.KafkaException;

/** A client that polls on a thread of its own and files what it reads. */
final class PollingReader implements AuditedClient {

  private final ReaderBook book;
  private final Poller poller;
  private final ClientThread thread;

  /**
   * @param poller made for the book, which is told what the application notices
   */
  PollingReader(ReaderBook book, Function<ReaderBook, Poller> poller) {
    this.book = book;
    this.poller = poller.apply(book);
    thread = new ClientThread("audit-read " + book.client(), this::read);
  }

  @Override
  public void start() {
    thread.start();
  }

  @Override
  public void rest() {
    book.noticed().rested(System.nanoTime());
  }

  @Override
  public void leave() throws InterruptedException {
    thread.end();
  }

  private void read() {
    try (poller) {
      poller.begin();
      while (thread.goesOn()) {
        poll();
      }
      poller.settle();
    } catch (KafkaException e) {
      book.noticed().exception(e);
    }
  }

  /** An application that is robust polls again, whatever a poll has thrown. */
  private void poll() {
    try {
      poller.poll().forEach(found -> book.saw(found.partition(), found.value()));
    } catch (KafkaException | IllegalStateException e) {
      book.noticed().exception(e);
    }
  }
}
