"""confluent-kafka: librdkafka in its newest version."""

import time

from confluent_kafka import Consumer, KafkaException, Producer

from order import Order, Pace, Rebalances, emit, librdkafka, tell_log


def common(order):
    return {
        "bootstrap.servers": order.bootstrap,
        "client.id": order.client,
        **librdkafka(order.security),
        "logger": tell_log("librdkafka"),
        # Not errors of the application: librdkafka says that it goes on by itself.
        "error_cb": lambda error: emit("log", level="WARN", text="error_cb: %s" % error),
    }


def produce(order):
    producer = Producer({**common(order), "acks": "all"})

    def answered(sequence):
        def callback(error, _):
            if error is None:
                emit("acked", seq=sequence)
            else:
                emit("exception", text=str(error))

        return callback

    pace = Pace(order)
    sequence = 0
    while not order.stopped.is_set():
        producer.poll(pace.due())
        while pace.next > time.monotonic():
            producer.poll(max(0.0, pace.next - time.monotonic()))
        emit("sent", seq=sequence)
        try:
            producer.produce(
                order.topic,
                key=order.key(sequence),
                value=order.value(sequence),
                on_delivery=answered(sequence),
            )
        except (BufferError, KafkaException) as error:
            emit("exception", text=repr(error))
        sequence += 1
    producer.flush(30)


def read(order):
    rebalances = Rebalances()
    consumer = Consumer(
        {**common(order), "group.id": order.client, "auto.offset.reset": "earliest"}
    )
    consumer.subscribe([order.topic], on_assign=lambda *_: rebalances.assigned())
    while not order.stopped.is_set():
        message = consumer.poll(0.1)
        if message is None:
            continue
        if message.error():
            emit("exception", text=str(message.error()))
        else:
            emit("seen", partition=message.partition(), value=message.value().decode("latin-1"))
    consumer.close()


order = Order()
(produce if order.role == "producer" else read)(order)
emit("done")
