// What is said between the audit and a client program: see ../README.md.

import { createInterface } from "node:readline";

export function emit(event, fields = {}) {
  process.stdout.write(JSON.stringify({ event, ...fields }) + "\n");
}

/** What is to be done, and whether it still is. */
export function order() {
  return new Promise((begin) => {
    let current;
    const lines = createInterface({ input: process.stdin });
    lines.on("line", (line) => {
      const command = JSON.parse(line);
      if (command.command === "start") {
        let stop;
        const stopped = new Promise((resolve) => (stop = resolve));
        current = { ...command, isStopped: false, stopped, stop };
        begin(current);
      } else if (command.command === "rate" && current) {
        current.rate = command.rate;
      } else if (command.command === "stop" && current) {
        current.isStopped = true;
        current.stop();
      }
    });
    // Nobody is there to be told anything.
    lines.on("close", () => {
      if (!current?.isStopped) process.exit(current ? 3 : 0);
    });
  });
}

export function record(order, sequence) {
  const head = `${order.producer} ${sequence} `;
  const padding = String.fromCharCode(97 + (sequence % 26));
  return { key: `k${sequence % 101}`, value: head.padEnd(order.size, padding) };
}
