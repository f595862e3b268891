"""aiokafka: asyncio."""

import asyncio

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, ConsumerRebalanceListener
from aiokafka.errors import KafkaError

from order import Order, Pace, Rebalances, emit, tell_log


async def produce(order):
    producer = AIOKafkaProducer(
        bootstrap_servers=order.bootstrap, client_id=order.client, acks="all"
    )
    await producer.start()

    def answered(sequence):
        def callback(future):
            if future.exception() is None:
                emit("acked", seq=sequence)
            else:
                emit("exception", text=repr(future.exception()))

        return callback

    pace = Pace(order)
    sequence = 0
    while not order.stopped.is_set():
        await asyncio.sleep(pace.due())
        emit("sent", seq=sequence)
        try:
            sent = await producer.send(
                order.topic, key=order.key(sequence), value=order.value(sequence)
            )
            sent.add_done_callback(answered(sequence))
        except KafkaError as error:
            emit("exception", text=repr(error))
        sequence += 1
    await asyncio.wait_for(producer.stop(), 30)
    await asyncio.sleep(0)


class Listener(ConsumerRebalanceListener):
    def __init__(self):
        self.rebalances = Rebalances()

    def on_partitions_assigned(self, assigned):
        self.rebalances.assigned()

    def on_partitions_revoked(self, revoked):
        pass


async def read(order):
    consumer = AIOKafkaConsumer(
        bootstrap_servers=order.bootstrap,
        client_id=order.client,
        group_id=order.client,
        auto_offset_reset="earliest",
    )
    consumer.subscribe([order.topic], listener=Listener())
    await consumer.start()
    while not order.stopped.is_set():
        try:
            for partition, records in (await consumer.getmany(timeout_ms=100)).items():
                for record in records:
                    emit(
                        "seen",
                        partition=partition.partition,
                        value=record.value.decode("latin-1"),
                    )
        except KafkaError as error:
            emit("exception", text=repr(error))
    await asyncio.wait_for(consumer.stop(), 15)


order = Order()
tell_log("aiokafka")
asyncio.run((produce if order.role == "producer" else read)(order))
emit("done")
