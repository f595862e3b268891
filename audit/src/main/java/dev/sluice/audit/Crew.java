package dev.sluice.audit;

import dev.sluice.audit.ledger.ClientReport.Role;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The clients of one run, with their topics and books. Used by the thread of its audit. */
final class Crew {

  private final AuditPlan plan;
  private final RunName run;
  private final AuditTopics topics;
  private final List<Channel> channels = new ArrayList<>();
  private final List<ReaderBook> readers = new ArrayList<>();
  private final List<Berth> berths = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();
  private final List<String> made = new ArrayList<>();

  Crew(AuditPlan plan, RunName run) {
    this.plan = plan;
    this.run = run;
    topics = new AuditTopics(plan.witnessServers(), run);
    var fleet = new JavaFleet(plan, run);
    plan.clients().java().forEach(client -> enlist(fleet, client));
    plan.clients().programs().forEach(this::enlist);
  }

  List<Channel> channels() {
    return channels;
  }

  List<ReaderBook> readers() {
    return readers;
  }

  List<Book> books() {
    return Stream.<Book>concat(channels.stream(), readers.stream()).toList();
  }

  List<String> skipped() {
    return List.copyOf(skipped);
  }

  /** In the order in which they come aboard: a producer before who reads from it. */
  List<Berth> berths() {
    return berths;
  }

  void makeTopics() throws InterruptedException {
    var names = Stream.concat(channels.stream().map(Channel::topic), copies()).toList();
    if (names.isEmpty()) {
      return;
    }
    topics.create(names, plan.partitions());
    made.addAll(names);
    if (readers.stream().anyMatch(book -> book.client().equals(JavaClient.SHARE.clientName()))) {
      topics.beginEarliest(run.of(JavaClient.SHARE.clientName()));
    }
  }

  void removeTopics() throws InterruptedException {
    try (topics) {
      if (!made.isEmpty()) {
        topics.remove(made);
        made.clear();
      }
    }
  }

  private void enlist(JavaFleet fleet, JavaClient client) {
    String name = client.clientName();
    Optional<JavaClient> from = client.readsFrom();
    if (from.isEmpty()) {
      Channel channel = channel(name);
      berths.add(new Berth(channel, () -> fleet.producer(client, channel)));
      return;
    }
    Channel channel = channelOf(from.get().clientName());
    var book = ReaderBook.of(name, channel, client.role(), client.ordered());
    readers.add(book);
    berths.add(new Berth(book, () -> fleet.reader(client, book)));
  }

  private void enlist(ChildProgram program) {
    Optional<Path> launcher = plan.programs().flatMap(program::launcher);
    if (launcher.isEmpty()) {
      skipped.add(program.clientName() + ": not set up; run audit/clients/setup");
      return;
    }
    if (plan.security().isPresent() && !program.provesItself()) {
      skipped.add(program.clientName() + ": its program speaks plain text only");
      return;
    }
    Channel channel = channel(program.clientName());
    var book = ReaderBook.of(program.readerName(), channel, Role.READER, true);
    readers.add(book);
    berths.add(berth(channel, launcher.get(), order("producer", channel, channel)));
    berths.add(berth(book, launcher.get(), order("reader", book, channel)));
  }

  private static Berth berth(Book book, Path launcher, ChildProtocol.Start order) {
    return new Berth(book, () -> ChildClient.launch(book, launcher, order));
  }

  private ChildProtocol.Start order(String role, Book book, Channel channel) {
    return new ChildProtocol.Start(
        role,
        plan.bootstrapServers(),
        channel.topic(),
        run.of(book.client()),
        channel.client(),
        plan.load().firstRate(),
        plan.load().valueBytes(),
        plan.security());
  }

  private Channel channel(String name) {
    var channel = Channel.of(run.of(name), name);
    channels.add(channel);
    return channel;
  }

  private Channel channelOf(String name) {
    return channels.stream().filter(it -> it.client().equals(name)).findFirst().orElseThrow();
  }

  private Stream<String> copies() {
    return new JavaFleet(plan, run).copies().stream();
  }
}
