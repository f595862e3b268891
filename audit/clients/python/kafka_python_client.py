"""kafka-python: a client in plain Python."""

import time

from kafka import ConsumerRebalanceListener, KafkaConsumer, KafkaProducer
from kafka.errors import KafkaError

from order import Order, Pace, Rebalances, emit, tell_log


def common(order):
    proof = order.security
    settings = {"bootstrap_servers": order.bootstrap, "client_id": order.client}
    return settings if proof is None else {
        **settings,
        "security_protocol": "SASL_SSL",
        "ssl_cafile": proof["ca"],
        "ssl_certfile": proof["certificate"],
        "ssl_keyfile": proof["key"],
        "sasl_mechanism": proof["mechanism"],
        "sasl_plain_username": proof["user"],
        "sasl_plain_password": proof["password"],
    }


def produce(order):
    producer = KafkaProducer(**common(order), acks="all")
    pace = Pace(order)
    sequence = 0
    while not order.stopped.is_set():
        time.sleep(pace.due())
        emit("sent", seq=sequence)
        try:
            sent = producer.send(
                order.topic, key=order.key(sequence), value=order.value(sequence)
            )
            sent.add_callback(lambda _, seq=sequence: emit("acked", seq=seq))
            sent.add_errback(lambda error: emit("exception", text=repr(error)))
        except KafkaError as error:
            emit("exception", text=repr(error))
        sequence += 1
    producer.flush(30)
    producer.close(10)


class Listener(ConsumerRebalanceListener):
    def __init__(self):
        self.rebalances = Rebalances()

    def on_partitions_assigned(self, assigned):
        self.rebalances.assigned()

    def on_partitions_revoked(self, revoked):
        pass


def read(order):
    consumer = KafkaConsumer(
        **common(order),
        group_id=order.client,
        auto_offset_reset="earliest",
    )
    # Joined before it knows the topic it assigns itself nothing, and never looks again
    # (3.0.12; 1 in 12 to 1 in 20 starts, asked this way none of 120, at Kafka itself).
    consumer.partitions_for_topic(order.topic)
    consumer.subscribe([order.topic], listener=Listener())
    while not order.stopped.is_set():
        try:
            for partition, records in consumer.poll(timeout_ms=100).items():
                for record in records:
                    emit(
                        "seen",
                        partition=partition.partition,
                        value=record.value.decode("latin-1"),
                    )
        except KafkaError as error:
            emit("exception", text=repr(error))
    consumer.close()


order = Order()
tell_log("kafka")
(produce if order.role == "producer" else read)(order)
emit("done")
