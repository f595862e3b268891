// What the last reload did to each virtual cluster, and a reload from the page: its plan first.

import { getIfAny, post } from "./api.js";
import { clock, element, span, table } from "./page.js";

const LAST = "api/v1/reloads/last";
const GOOD = new Set(["applied", "unchanged", "planned"]);

/** Shows the last one; nothing where there was none, or this proxy cannot reload. */
export async function showReload(section, body) {
  const last = await getIfAny(LAST).catch(() => undefined);
  if (last) {
    const text = JSON.stringify(last);
    if (body.dataset.made !== text) {
      body.dataset.made = text;
      body.replaceChildren(...told(last));
    }
  } else {
    body.replaceChildren(element("p", {}, "None since this proxy was started."));
  }
  section.hidden = false;
}

/**
 * Shows what a reload would do, then does it if the person agrees.
 *
 * @returns a sentence of what came of it; undefined where the person did not want it
 */
export async function reload(confirm, askForToken) {
  const plan = await post("api/v1/reload?dryRun=true", askForToken);
  const changed = (plan.virtualClusters ?? []).filter(({ change }) => change !== "unchanged");
  if (changed.length === 0) {
    return "The configuration file says what runs already: nothing to do.";
  }
  if (!(await confirm("Reload the configuration?", ...told(plan)))) {
    return undefined;
  }
  const result = await post("api/v1/reload", askForToken);
  return `The reload is ${result.outcome}.`;
}

function told(reload) {
  const clusters = reload.virtualClusters ?? [];
  const touched = clusters.filter(({ change }) => change !== "unchanged");
  const untouched = clusters.length - touched.length;
  return [
    element(
      "p",
      {},
      element("strong", { "data-outcome": reload.outcome, class: GOOD.has(reload.outcome) ? "" : "failure" }, reload.outcome),
      " · ",
      clock(reload.at),
      ` · asked by ${reload.askedBy} · from ${reload.source} · ${span(reload.millis)}`,
    ),
    ...(reload.warnings ?? []).map((warning) => element("p", { class: "failure" }, warning)),
    touched.length > 0 &&
      table(
        ["virtual cluster", "change", "why", "way", "outcome", "took", "connections"],
        touched.map((each) => [
          each.name,
          [each.change, ...(each.aspects ?? [])].join(": "),
          each.message ?? each.why,
          each.way,
          each.outcome,
          each.millis === undefined ? "" : span(each.millis),
          Object.entries(each.connections ?? {})
            .map(([how, many]) => `${many} ${how}`)
            .join(", "),
        ]),
      ),
    untouched > 0 && element("p", {}, `${untouched} virtual clusters were left as they are.`),
  ].filter(Boolean);
}
