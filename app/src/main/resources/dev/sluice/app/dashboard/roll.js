// The roll of the servers behind: a row for each, what is done together, and what waits on what.

import { getIfAny } from "./api.js";
import { clock, element, numbers, span, table } from "./page.js";

const NOTHING = "needs nothing";
const CURRENT = "api/v1/rolls/current";

/** Shows the roll that this process is at; nothing where it rolls nothing. */
export async function showRoll(section, body) {
  const roll = await getIfAny(CURRENT).catch(() => undefined);
  section.hidden = !roll;
  if (roll) {
    body.replaceChildren(...told(roll));
  }
}

function told(roll) {
  const { report, servers, blocked, outcome } = roll;
  return [
    element("p", {}, element("strong", { "data-roll": roll.state }, roll.state), ` · ${roll.plan}`),
    outcome && element("p", { class: outcome.how === "done" ? "" : "failure" }, outcome.sentence),
    numbers([
      ["began", new Date(report.began).toLocaleTimeString()],
      ["lasting", span(report.seconds * 1000)],
      ["batches", report.batches.length],
      ["below their minimum by it", report.belowMinimum.length],
    ]),
    progress(roll),
    table(
      ["server", "roles", "condition", "needs", "why"],
      servers.map((each) => [
        String(each.server),
        each.roles.join(", "),
        each.condition,
        each.need,
        each.why,
      ]),
    ),
    element("h3", {}, "Batches"),
    element("ol", { class: "batches" }, ...report.batches.map(batch)),
    blocked.length > 0 && element("h3", {}, "What waits on what"),
    blocked.length > 0 && table(["server", "rule", "why"], blocked.map((each) => [String(each.server), each.rule, each.why])),
    waited(report.waitedSeconds),
  ].filter(Boolean);
}

function progress({ servers }) {
  const todo = servers.filter(({ need }) => need !== NOTHING).length;
  const done = servers.length - todo;
  return element(
    "progress",
    { max: servers.length, value: done, "aria-label": `${done} of ${servers.length} servers need nothing more` },
  );
}

function batch({ at, stage, servers }) {
  return element(
    "li",
    {},
    clock(at),
    ` ${stage}: `,
    servers
      .map(({ server, what, tookSeconds, failure }) =>
        failure ? `${server} ${what} failed: ${failure}` : `${server} ${what}${tookSeconds ? ` ${tookSeconds} s` : ""}`,
      )
      .join(", "),
  );
}

function waited(seconds) {
  const all = Object.entries(seconds);
  return (
    all.length > 0 &&
    element("p", {}, `Waited: ${all.map(([what, time]) => `${what} ${time} s`).join("; ")}.`)
  );
}
