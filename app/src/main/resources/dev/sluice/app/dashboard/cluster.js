// One virtual cluster: as a card among others, and in full.

import { badge, clock, element, many, numbers, since, span } from "./page.js";
import { diagram } from "./diagram.js";

/** What can be asked for in each state. */
const ACTIONS = {
  serving: ["restart", "drain"],
  failed: ["retry"],
  stopped: ["start"],
  draining: [],
  initializing: [],
};

const CONSEQUENCES = {
  restart: "Everything behind its clients is made anew; they keep their connections.",
  drain: "What is in flight is answered, then it is stopped until it is started again.",
  retry: "It is set up again, now.",
  start: "It is set up again, as configured.",
};

/** How many of those that a drain waits for a card has room for. */
const MOST_WAITED_FOR = 2;

const PURPOSES = {
  person: "Drains, as asked",
  reload: "Drains for a reload",
  removal: "Drains, as it is configured no more",
  shutdown: "Drains, as the proxy shuts down",
};

export const consequence = (action) => CONSEQUENCES[action];

/**
 * @param ask is told which action the person wants
 * @param open is told that the person wants to see all of it
 */
export function card(cluster, ask, open) {
  const { name, state } = cluster;
  return element(
    "li",
    { class: "card", "data-state": state, "data-cluster": name },
    element(
      "div",
      { class: "top" },
      element("h3", {}, element("button", { type: "button", onclick: () => open(name) }, name)),
      badge(state),
    ),
    element(
      "p",
      { class: "why" },
      state === "failed" ? since(cluster.since) : `${since(cluster.since)} · ${cluster.reason.message}`,
    ),
    numbers([
      ["generation", cluster.generation],
      ["connections", cluster.connections],
      ["in flight", cluster.requestsInFlight],
    ]),
    cluster.drain && drain(cluster, MOST_WAITED_FOR),
    leftOut(cluster),
    cluster.state === "failed" && failure(cluster),
    buttons(cluster, ask),
  );
}

function buttons(cluster, ask) {
  const actions = ACTIONS[cluster.state] ?? [];
  return (
    actions.length > 0 &&
    element(
      "div",
      { class: "actions" },
      ...actions.map((action) =>
        element(
          "button",
          {
            type: "button",
            "data-action": action,
            "aria-label": `${action} ${cluster.name}`,
            title: consequence(action),
            onclick: () => ask(action, cluster),
          },
          action,
        ),
      ),
    )
  );
}

/** Brokers that clients are not told of. */
const leftOut = ({ nodesLeftOut = [] }) =>
  nodesLeftOut.length > 0 &&
  element("p", { class: "warning" }, `Clients wait in vain for what broker ${nodesLeftOut.join(", ")} leads: no nodeIdRanges include it.`);

/** A drain, or the leaving of a former generation, as it goes on. */
function drain(cluster, room = Infinity) {
  const { purpose, way, deadline, connectionsAtFirst = 0, connectionsLeft = cluster.connections, waitsFor = [] } =
    cluster.drain;
  const seconds = Math.max(0, Math.round((Date.parse(deadline) - Date.now()) / 1000));
  const what = purpose ? PURPOSES[purpose] : `Leaves the former generation (${way})`;
  return element(
    "div",
    { class: "drain" },
    element("p", {}, `${what}: ${many(connectionsLeft, "connection")} left, ${seconds} s at most.`),
    connectionsAtFirst > 0 &&
      element("progress", {
        max: connectionsAtFirst,
        value: Math.max(0, connectionsAtFirst - connectionsLeft),
        "aria-label": "connections that are quiet",
      }),
    waitsFor.length > 0 && waits(waitsFor.map(({ sentence }) => sentence), room),
  );
}

function waits(sentences, room) {
  const left = sentences.length - room;
  return element(
    "div",
    {},
    "Waits for",
    element("ul", { class: "waits" }, ...sentences.slice(0, room).map((each) => element("li", {}, each))),
    left > 0 && `and ${left} more.`,
  );
}

function lastDrain({ way, since, tookMillis, connections, outcomes }) {
  const how = Object.entries(outcomes)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(", ");
  return element(
    "section",
    {},
    element("h3", {}, "Last drain"),
    element("p", {}, clock(since), ` ${way} · ${many(connections, "connection")} in ${span(tookMillis)}${how && `: ${how}`}`),
  );
}

function failure(cluster) {
  const retry = cluster.retry ?? {};
  const next = retry.at
    ? `Tried again at ${new Date(retry.at).toLocaleTimeString()}.`
    : "Not tried again by itself: mend the cause, then retry.";
  return element(
    "div",
    { class: "failure" },
    element("p", {}, cluster.lastFailure?.message ?? ""),
    element("p", {}, `Attempt ${cluster.attempts ?? 1}. ${next}`),
  );
}

/** All that is known about it. */
export function details(cluster, ask) {
  const failed = cluster.lastFailure;
  return [
    element(
      "div",
      { class: "top" },
      badge(cluster.state),
      ` for ${since(cluster.since)}: ${cluster.reason.message}`,
    ),
    buttons(cluster, ask),
    numbers([
      ["generation", cluster.generation],
      ["connections", cluster.connections],
      ["in flight", cluster.requestsInFlight],
      ["clients bootstrap from", cluster.bootstrapAddresses?.join(", ")],
      ["leads to", cluster.targetBootstrapServers?.join(", ")],
      ["ports left and still open", cluster.lingeringPorts?.map(({ port }) => port).join(", ")],
    ]),
    cluster.drain && drain(cluster),
    leftOut(cluster),
    failed &&
      element(
        "section",
        {},
        element("h3", {}, "Last failure"),
        element("p", { class: "failure" }, failed.message),
        element("p", {}, clock(failed.at), ` · generation ${failed.generation}, attempt ${failed.attempt} · `, element("code", {}, failed.code)),
      ),
    cluster.lastDrain && lastDrain(cluster.lastDrain),
    diagram(cluster.state),
    element("h3", {}, "History"),
    element("ol", { class: "timeline" }, ...[...cluster.history].reverse().map(entry)),
  ].filter(Boolean);
}

function entry(transition) {
  const { from, to, at, generation, reason } = transition;
  return element(
    "li",
    { "data-state": to },
    clock(at),
    element("strong", {}, from === to ? to : `${from} → ${to}`),
    ` · generation ${generation} · ${reason.message} `,
    element("code", {}, reason.code),
  );
}
