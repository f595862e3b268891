package dev.sluice.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

class WantedTest {

  private static final short METADATA = ApiKeys.METADATA.id;

  @Test
  void nothing_wants_nothing() {
    assertThat(Wanted.NOTHING.isNothing()).isTrue();
    assertThat(Wanted.NOTHING.request(METADATA, (short) 0)).isFalse();
  }

  @Test
  void directions_are_told_apart() {
    var wanted = Wanted.NOTHING.andRequests(ApiKeys.METADATA);
    assertThat(wanted.request(METADATA, (short) 12)).isTrue();
    assertThat(wanted.response(METADATA, (short) 12)).isFalse();
    assertThat(wanted.isNothing()).isFalse();
  }

  @Test
  void versions_are_told_apart() {
    var wanted = Wanted.NOTHING.andResponses(ApiKeys.FETCH, 4, 12);
    assertThat(wanted.response(ApiKeys.FETCH.id, (short) 3)).isFalse();
    assertThat(wanted.response(ApiKeys.FETCH.id, (short) 4)).isTrue();
    assertThat(wanted.response(ApiKeys.FETCH.id, (short) 12)).isTrue();
    assertThat(wanted.response(ApiKeys.FETCH.id, (short) 13)).isFalse();
  }

  @Test
  void a_union_wants_what_either_wants_and_changes_neither() {
    var one = Wanted.NOTHING.andRequests(ApiKeys.FETCH, 4, 12);
    var other =
        Wanted.NOTHING.andRequests(ApiKeys.STREAMS_GROUP_DESCRIBE).andResponses(ApiKeys.FETCH);
    var both = one.or(other);
    assertThat(both.request(ApiKeys.FETCH.id, (short) 4)).isTrue();
    assertThat(both.request(ApiKeys.STREAMS_GROUP_DESCRIBE.id, (short) 0)).isTrue();
    assertThat(both.response(ApiKeys.FETCH.id, (short) 4)).isTrue();
    assertThat(one.request(ApiKeys.STREAMS_GROUP_DESCRIBE.id, (short) 0)).isFalse();
  }

  @Test
  void produce_requests_of_transactions_are_told_from_all() {
    var wanted =
        Wanted.NOTHING
            .andTransactionalProduce(13, 13)
            .or(Wanted.NOTHING.andRequests(ApiKeys.PRODUCE, 3, 12));
    assertThat(wanted.request(ApiKeys.PRODUCE.id, (short) 13)).isFalse();
    assertThat(wanted.transactionalProduce((short) 13)).isTrue();
    assertThat(wanted.transactionalProduce((short) 12)).isFalse();
    assertThat(Wanted.NOTHING.andTransactionalProduce(0, 0).isNothing()).isFalse();
  }

  @Test
  void nonsense_is_not_wanted() {
    var wanted = Wanted.NOTHING.andRequests(ApiKeys.METADATA);
    assertThat(wanted.request((short) -1, (short) 0)).isFalse();
    assertThat(wanted.request(Short.MAX_VALUE, (short) 0)).isFalse();
    assertThat(wanted.request(METADATA, (short) -1)).isFalse();
    assertThat(wanted.request(METADATA, (short) 64)).isFalse();
  }

  @Test
  void versions_that_cannot_be_are_refused() {
    assertThatThrownBy(() -> Wanted.NOTHING.andRequests(ApiKeys.METADATA, 3, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("oldest first");
  }
}
