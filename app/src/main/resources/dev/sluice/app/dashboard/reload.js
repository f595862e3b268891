// What the last reloads did to each virtual cluster, and a reload from the page: its plan first.

import { getIfAny, post } from "./api.js";
import { clock, element, newest, renew, span, table } from "./page.js";

const RELOADS = "api/v1/reloads/";
const EARLIER = 5;
const GOOD = new Set(["applied", "unchanged", "planned"]);

/** Earlier ones by number: what has ended does not change. */
const ended = new Map();

const inOrder = newest();

/** Shows the last one, and those before it in short. */
export async function showReloads(section, body) {
  const children = await inOrder(async () => {
    const last = await getIfAny(`${RELOADS}last`).catch(() => undefined);
    return last
      ? [...told(last), ...(await earlier(last.number)).map(folded)]
      : [element("p", {}, "None since this proxy was started.")];
  });
  if (children) {
    section.hidden = false;
    renew(body, children);
  }
}

async function earlier(last) {
  const found = [];
  for (let number = last - 1; number > 0 && number >= last - EARLIER; number--) {
    const reload = ended.get(number) ?? (await getIfAny(RELOADS + number).catch(() => undefined));
    if (reload && reload.outcome !== "running") {
      ended.set(number, reload);
      found.push(reload);
    }
  }
  [...ended.keys()].filter((number) => number < last - EARLIER).forEach((number) => ended.delete(number));
  return found;
}

const folded = (reload) =>
  element("details", {}, element("summary", {}, ...headline(reload)), element("div", {}, ...happened(reload)));

/**
 * Shows what a reload would do, then does it if the person agrees.
 *
 * @param confirm asks the person
 * @param show tells the person, who can only take notice
 * @returns a sentence of what came of it; undefined where the person did not want it
 */
export async function reload(confirm, show, askForToken) {
  let plan;
  try {
    plan = await post("api/v1/reload?dryRun=true", askForToken);
  } catch (refused) {
    if (!refused.told?.outcome) {
      throw refused;
    }
    await show("This would not be taken", element("p", {}, refused.message), ...told(refused.told));
    return undefined;
  }
  const changed = (plan.virtualClusters ?? []).filter(({ change }) => change !== "unchanged");
  if (changed.length === 0) {
    return "The configuration file says what runs already: nothing to do.";
  }
  const intent = element("p", {}, `This is what ${plan.source} would change. Nothing is done yet.`);
  if (!(await confirm("Reload the configuration?", "Reload", intent, ...happened(plan)))) {
    return undefined;
  }
  const result = await post("api/v1/reload", askForToken);
  return `The reload is ${result.outcome}.`;
}

const told = (reload) => [element("p", {}, ...headline(reload)), ...happened(reload)];

const headline = ({ outcome, at, askedBy, source, millis }) => [
  element("strong", { "data-outcome": outcome, class: GOOD.has(outcome) ? "good" : "failure" }, outcome),
  " · ",
  clock(at),
  ` · asked by ${askedBy} · from ${source} · ${span(millis)}`,
];

function happened(reload) {
  const clusters = reload.virtualClusters ?? [];
  const touched = clusters.filter(({ change }) => change !== "unchanged");
  const untouched = clusters.length - touched.length;
  return [
    ...(reload.warnings ?? []).map((warning) => element("p", { class: "warning" }, warning)),
    reload.findings?.length > 0 &&
      table(
        "what was found in the configuration",
        ["line", "where", "found"],
        reload.findings.map(({ line, column, path, severity, message }) => [
          `${line}:${column}`,
          path,
          element("span", { class: severity === "error" ? "failure" : "warning" }, message),
        ]),
      ),
    reload.sections?.length > 0 &&
      element("p", { class: "failure" }, `Holds for as long as the process runs: ${reload.sections.join(", ")}.`),
    touched.length > 0 &&
      table(
        "what became of each virtual cluster",
        ["virtual cluster", "change", "why", "way", "outcome", "took", "connections"],
        touched.map(row),
      ),
    untouched > 0 && element("p", {}, untouched === 1 ? "One is left as it is." : `${untouched} are left as they are.`),
  ].filter(Boolean);
}

function row({ name, change, aspects = [], message, why, way, ways = [], outcome, asAsked, millis, connections = {} }) {
  return [
    name,
    [change, aspects.join(", ")].filter(Boolean).join(": "),
    element("span", { class: asAsked === false ? "failure" : "" }, message ?? why),
    way ?? ways.join(" or "),
    outcome,
    millis === undefined ? "" : span(millis),
    Object.entries(connections)
      .filter(([, count]) => count > 0)
      .map(([how, count]) => `${count} ${how}`)
      .join(", "),
  ];
}
