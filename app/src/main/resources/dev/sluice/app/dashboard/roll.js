// The roll of the servers behind: a row for each, what is done together, and what waits on what.

import { getIfAny } from "./api.js";
import { announce, badge, clock, element, local, newest, numbers, renew, span, table } from "./page.js";

const NOTHING = "needs nothing";
const CURRENT = "api/v1/rolls/current";

/** In which colour a condition is shown; the word stands there, too. */
const COLOURS = {
  Steady: "serving",
  Starting: "initializing",
  CatchingUp: "initializing",
  Recovering: "initializing",
  NotRunning: "failed",
  NotReady: "failed",
  Unknown: "draining",
};

const inOrder = newest();
let toldOf;

/** Shows the roll that this process is at; once that has ended, what was heard last stays. */
export async function showRoll(section, body, heard) {
  const children = await inOrder(async () => {
    let roll = heard;
    try {
      roll ??= await getIfAny(CURRENT);
    } catch {
      return undefined;
    }
    return roll ? told(roll) : [element("p", {}, "It has not looked at the servers yet.")];
  });
  if (children) {
    section.hidden = false;
    renew(body, children);
  }
}

/** Each batch, and how it ended, for those who do not see it. */
function tell({ report, state, plan, outcome }) {
  const now = outcome?.how ?? `${state} ${report.batches.length}`;
  if (toldOf !== undefined && toldOf !== now) {
    announce(local(outcome?.sentence ?? plan));
  }
  toldOf = now;
  document.title = `${outcome?.how ?? state} · roll · Sluice`;
}

function told(roll) {
  tell(roll);
  const { report, servers, blocked, outcome, forecast } = roll;
  const now = outcome ? [] : underWay(report.batches.at(-1));
  const ahead = outcome ? [] : left(forecast?.steps ?? [], now);
  const seconds = ahead.reduce((sum, step) => sum + step.estimateSeconds, 0);
  return [
    element(
      "p",
      { class: "top" },
      element("strong", { class: "badge", "data-roll": outcome?.how ?? roll.state }, outcome?.how ?? roll.state),
      element("span", { class: outcome && outcome.how !== "finished" ? "failure" : "" }, local(outcome?.sentence ?? roll.plan)),
    ),
    words(outcome?.lastWords),
    numbers([
      ["began", new Date(report.began).toLocaleTimeString()],
      ["lasting", span(report.seconds * 1000)],
      ["batches done", report.batches.length - (now.length > 0 ? 1 : 0)],
      ["to come", outcome ? undefined : ahead.length],
      ["these take about", seconds > 0 ? span(seconds * 1000) : undefined],
      ["partitions seen below their minimum", report.belowMinimum.length],
    ]),
    progress(servers),
    element("h3", {}, "Batches"),
    element(
      "ol",
      { class: "batches" },
      ...report.batches.map((each, at) => done(each, at + 1, at + 1 === report.batches.length && now.length > 0)),
      ...ahead.map((step, at) => planned(step, report.batches.length + at + 1)),
    ),
    ...waits(blocked, now, ahead),
    ...small(ahead, report.batches.length),
    element("h3", {}, "Servers"),
    table(
      "servers",
      ["server", "roles", "condition", "needs", "why"],
      servers.map((each) => [
        String(each.server),
        each.roles.join(", "),
        badge(COLOURS[each.condition], each.condition),
        each.need === NOTHING ? "nothing" : local(each.need),
        each.why === each.condition.toLowerCase() ? "" : local(each.why),
      ]),
    ),
    waited(report.waitedSeconds),
  ].filter(Boolean);
}

/** Servers that were acted upon last and are not back yet; what is only reconfigured is not away. */
const underWay = (batch) =>
  (batch?.servers ?? [])
    .filter(({ what, tookSeconds, failure }) => tookSeconds === undefined && !failure && !what.startsWith("reconfigure"))
    .map(({ server }) => String(server));

/** A step that was begun by the look of the forecast is not ahead any more. */
const left = (steps, now) => steps.filter(({ targets }) => !Object.keys(targets).some((id) => now.includes(id)));

function progress(servers) {
  const done = servers.filter(({ need, condition }) => need === NOTHING && condition === "Steady").length;
  const words = `${done} of ${servers.length} servers are steady and need nothing more`;
  return element(
    "label",
    { class: "progress" },
    element("progress", { max: servers.length, value: done, "aria-label": words }),
    words,
  );
}

const chip = (server, is, more) =>
  element("li", { class: "chip", "data-is": is }, element("b", {}, `server ${server}`), ` ${more}`);

function box(is, head, when, chips) {
  return element(
    "li",
    { class: "batch", "data-is": is },
    element("div", { class: "head" }, head),
    element("ul", {}, ...chips),
    element("div", { class: "when" }, ...when),
  );
}

function done({ at, stage, servers }, number, now) {
  const chips = servers.map(({ server, what, tookSeconds, failure }) => {
    if (failure) {
      return chip(server, "failed", `failed: ${failure}`);
    }
    const back = tookSeconds === undefined ? "" : `back after ${span(tookSeconds * 1000)}`;
    return chip(server, back || !now ? "done" : "now", back || (now ? "under way" : what));
  });
  return box(now ? "now" : "done", `${number} · ${stage}`, [now ? "since " : "at ", clock(at)], chips);
}

const planned = ({ stage, targets, estimateSeconds }, number) =>
  box(
    "next",
    `${number} · ${stage}`,
    [`about ${span(estimateSeconds * 1000)}`],
    Object.keys(targets).map((server) => chip(server, "next", "to come")),
  );

/** Why nobody else is acted upon now. */
function waits(blocked, now, ahead) {
  const order =
    now.length > 0 && ahead.length > 0
      ? `${ahead.length === 1 ? "One batch waits" : `${ahead.length} batches wait`} until ${now.length === 1 ? "server" : "servers"} ${now.join(", ")} ${now.length === 1 ? "is" : "are"} steady again.`
      : undefined;
  return order || blocked.length > 0
    ? [
        element("h3", {}, "What waits on what"),
        order && element("p", {}, order),
        blocked.length > 0 &&
          table("what is blocked", ["server", "rule", "why"], blocked.map((each) => [String(each.server), each.rule, each.why])),
      ]
    : [];
}

function small(ahead, before) {
  const rows = ahead.flatMap(({ limiting }, at) => limiting.map((sentence) => [String(before + at + 1), sentence]));
  return rows.length > 0
    ? [element("h3", {}, "What keeps batches small"), table("partitions that keep batches small", ["batch", "why"], rows)]
    : [];
}

/** What servers said last that a roll has halted for. */
function words(last) {
  const all = Object.entries(last ?? {});
  return (
    all.length > 0 &&
    element(
      "div",
      {},
      ...all.flatMap(([server, lines]) => [
        element("h3", {}, `The last that server ${server} said`),
        element("pre", { class: "words", tabindex: "0" }, lines.join("\n")),
      ]),
    )
  );
}

function waited(seconds) {
  const all = Object.entries(seconds);
  return (
    all.length > 0 &&
    element("p", {}, `Waited: ${all.map(([what, time]) => `${what} (${span(time * 1000)})`).join("; ")}.`)
  );
}
