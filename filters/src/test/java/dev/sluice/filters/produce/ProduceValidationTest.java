package dev.sluice.filters.produce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.filter.Answer;
import dev.sluice.filter.Exchange;
import dev.sluice.filter.Filter;
import dev.sluice.filter.FilterScope;
import dev.sluice.filter.Forward;
import dev.sluice.filter.RequestHeader;
import dev.sluice.filter.RequestVerdict;
import dev.sluice.filter.Settings;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProduceValidationTest {

  private static final Header TRACE = new RecordHeader("trace", new byte[1]);
  private static final MemoryRecords SOUND = records("k", 10, TRACE);

  @Test
  void what_follows_the_rules_goes_on_untouched() {
    var request = request(SOUND, SOUND);
    assertThat(judged(rules(), request, exchange())).isEqualTo(new Forward(request));
    assertThat(request.topicData().iterator().next().partitionData()).hasSize(2);
  }

  @Test
  void without_rules_everything_goes_on() {
    var request = request(records(null, 5_000));
    assertThat(judged(Map.of(), request, exchange())).isEqualTo(new Forward(request));
  }

  @Test
  void each_rule_refuses_with_its_reason_and_the_place_of_the_record() {
    assertThat(refused(records(null, 10, TRACE))).contains("a key");
    assertThat(refused(records("k", 10))).contains("header 'trace'");
    assertThat(refused(records("k", 2_000, TRACE))).contains("at most 1024 bytes");
  }

  @Test
  void partitions_that_break_no_rule_go_on_and_the_answer_tells_of_both() {
    var exchange = exchange();
    var request = request(SOUND, records("k", 10));
    var filter = filter(rules());
    assertThat(filter.onRequest(exchange, request).toCompletableFuture().join())
        .isInstanceOf(Forward.class);
    assertThat(request.topicData().iterator().next().partitionData())
        .extracting(PartitionProduceData::index)
        .containsExactly(0);
    var response = new ProduceResponseData();
    response
        .responses()
        .add(
            new TopicProduceResponse()
                .setName("t")
                .setPartitionResponses(List.of(new PartitionProduceResponse().setIndex(0))));
    var _ = filter.onResponse(exchange, response);
    assertThat(response.responses()).hasSize(1);
    assertThat(response.responses().iterator().next().partitionResponses())
        .extracting(PartitionProduceResponse::index, PartitionProduceResponse::errorCode)
        .containsExactly(tuple(0, Errors.NONE.code()), tuple(1, Errors.INVALID_RECORD.code()));
  }

  @Test
  void at_most_so_many_records_are_told_of() {
    var many = new SimpleRecord[25];
    Arrays.fill(many, new SimpleRecord(new byte[1]));
    var records = MemoryRecords.withRecords(Compression.gzip().build(), many);
    assertThat(new RecordRules(1_024, true, List.of()).broken(records))
        .hasSize(RecordRules.MAX_TOLD);
  }

  @Test
  void what_cannot_be_read_is_left_to_the_broker() {
    var cut = MemoryRecords.readableRecords(ByteBuffer.wrap(new byte[40]));
    assertThat(new RecordRules(1, true, List.of()).broken(cut)).isEmpty();
  }

  private static String refused(MemoryRecords records) {
    var verdict = judged(rules(), request(records), exchange());
    assertThat(verdict).isInstanceOf(Answer.class);
    var answer = (ProduceResponseData) ((Answer) verdict).response();
    var partition = answer.responses().iterator().next().partitionResponses().getFirst();
    assertThat(partition.errorCode()).isEqualTo(Errors.INVALID_RECORD.code());
    assertThat(partition.recordErrors()).singleElement().extracting("batchIndex").isEqualTo(0);
    return partition.errorMessage();
  }

  private static Map<String, Object> rules() {
    return Map.of(
        "maxRecordSize", 1_024L, "keyRequired", true, "requiredHeaders", List.of("trace"));
  }

  private static Filter filter(Map<String, Object> set) {
    var factory = new ProduceValidationFactory();
    return factory.create(
        Settings.of(factory.settings(), set), new FilterScope("rules", "orders", 1));
  }

  private static RequestVerdict judged(
      Map<String, Object> set, ProduceRequestData request, Exchange exchange) {
    return filter(set).onRequest(exchange, request).toCompletableFuture().join();
  }

  private static ProduceRequestData request(MemoryRecords... partitions) {
    var topic = new TopicProduceData().setName("t");
    for (int index = 0; index < partitions.length; index++) {
      topic
          .partitionData()
          .add(new PartitionProduceData().setIndex(index).setRecords(partitions[index]));
    }
    var request = new ProduceRequestData().setAcks((short) -1);
    request.topicData().add(topic);
    return request;
  }

  private static MemoryRecords records(@Nullable String key, int bytes, Header... headers) {
    var record =
        new SimpleRecord(
            0, key == null ? null : key.getBytes(StandardCharsets.UTF_8), new byte[bytes], headers);
    return MemoryRecords.withRecords(Compression.NONE, record);
  }

  private static Exchange exchange() {
    return new Exchange(
        new RequestHeader(ApiKeys.PRODUCE.id, (short) 12, 1, "client"),
        InetSocketAddress.createUnresolved("client", 1));
  }
}
