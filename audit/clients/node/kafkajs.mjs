// kafkajs: honours the pause of KIP-219, repeats what was cancelled.

import { Kafka, Partitioners, logLevel } from "kafkajs";
import { emit, order, record } from "./order.mjs";

const told = () => ({ namespace, level, log }) => {
  if (level <= logLevel.WARN) {
    emit("log", {
      level: level <= logLevel.ERROR ? "ERROR" : "WARN",
      text: `${namespace ?? "kafkajs"}: ${log.message}${log.error ? ": " + log.error : ""}`,
    });
  }
};

function kafka(work) {
  return new Kafka({
    clientId: work.client,
    brokers: work.bootstrap.split(","),
    logLevel: logLevel.WARN,
    logCreator: told,
  });
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** One batch after the other: what is due since the last one. kafkajs keeps no order of its own. */
async function produce(work) {
  const producer = kafka(work).producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  let sequence = 0;
  let due = performance.now();
  while (!work.isStopped) {
    await pause(Math.max(5, due - performance.now()));
    const now = performance.now();
    const period = 1000 / work.rate;
    // What could not be sent in time is left out, except for a moment's worth.
    due = Math.max(due, now - 100);
    const messages = [];
    const first = sequence;
    for (; due <= now; due += period) {
      emit("sent", { seq: sequence });
      messages.push(record(work, sequence++));
    }
    if (messages.length === 0) continue;
    try {
      await producer.send({ topic: work.topic, acks: -1, messages });
      for (let seq = first; seq < sequence; seq++) emit("acked", { seq });
    } catch (error) {
      emit("exception", { text: String(error) });
    }
  }
  await producer.disconnect();
}

async function read(work) {
  const consumer = kafka(work).consumer({ groupId: work.client });
  let begun = false;
  consumer.on(consumer.events.GROUP_JOIN, () => {
    if (begun) emit("rebalance");
    begun = true;
  });
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    emit("exception", { text: `crash: ${payload.error}` });
  });
  await consumer.connect();
  await consumer.subscribe({ topic: work.topic, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ partition, message }) => {
      emit("seen", { partition, value: message.value.toString("latin1") });
    },
  });
  await work.stopped;
  await consumer.disconnect();
}

const work = await order();
await (work.role === "producer" ? produce(work) : read(work));
emit("done");
process.exit(0);
