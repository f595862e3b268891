import { clusterPath, get, post } from "./api.js";
import { card, consequence, details } from "./cluster.js";
import { askForToken, confirm, openOver, show } from "./dialog.js";
import { follow } from "./live.js";
import { announce, element, renew, say } from "./page.js";
import { reload, showReloads } from "./reload.js";
import { showRoll } from "./roll.js";

const STATES = ["failed", "draining", "initializing", "serving", "stopped"];
const MOST_REASONS = 3;
const MOST_TOLD = 3;
const byId = (id) => document.getElementById(id);

let view;
let only;
let opened;
/** The cards on the page by name, and what each was made from. */
const shown = new Map();
/** In which state each was when it was heard of last. */
let states = new Map();

const look = follow({
  heard,
  reloaded: () => view && showReloads(byId("reloads"), byId("reload-body")),
  live: (live, over) => {
    if (!live && !over && byId("live").dataset.live === "yes") {
      say(`Nothing is heard any more: what is shown is how it was at ${new Date().toLocaleTimeString()}.`);
    }
    byId("live").dataset.live = over ? "over" : live ? "yes" : "no";
    byId("live").textContent = over ? "over: nothing changes here any more" : live ? "live" : "not live, connecting again";
  },
});

function heard(told, roll) {
  byId("clusters").hidden = !told;
  byId("proxy").hidden = !told;
  if (!told) {
    showRoll(byId("roll"), byId("roll-body"), roll);
    return;
  }
  view = told;
  const proxy = byId("proxy");
  proxy.dataset.state = view.state;
  proxy.textContent = view.state;
  document.title = `${view.state} · Sluice`;
  byId("readiness").textContent = view.ready ? "ready" : `not ready: ${brief(view.reasons)}`;
  showCounts();
  showCards();
  tellChanges();
  if (opened) {
    open(opened);
  }
}

/** For those who do not see it. */
function tellChanges() {
  const changed = view.virtualClusters.filter(({ name, state }) => states.has(name) && states.get(name) !== state);
  states = new Map(view.virtualClusters.map(({ name, state }) => [name, state]));
  if (changed.length > MOST_TOLD) {
    announce(`${changed.length} virtual clusters have changed: ${byId("counts").innerText.replaceAll("\n", ", ")}.`);
  } else if (changed.length > 0) {
    announce(changed.map(({ name, state }) => `${name} is ${state}.`).join(" "));
  }
}

/** The cards tell the rest. */
const brief = (reasons) =>
  reasons.length > MOST_REASONS
    ? `${reasons.length} reasons`
    : reasons.map((reason) => reason.split(":")[0]).join(", ");

function showCounts() {
  const counts = new Map(STATES.map((state) => [state, 0]));
  view.virtualClusters.forEach(({ state }) => counts.set(state, counts.get(state) + 1));
  const text = JSON.stringify([...counts, only]);
  if (byId("counts").dataset.made === text) {
    return; // Who tabs through them keeps the focus.
  }
  byId("counts").dataset.made = text;
  byId("counts").replaceChildren(
    ...[...counts]
      .filter(([state, count]) => count > 0 || state === only)
      .map(([state, count]) =>
        element(
          "button",
          {
            type: "button",
            "data-state": state,
            class: "badge",
            "aria-pressed": String(only === state),
            onclick: () => {
              only = only === state ? undefined : state;
              showCounts();
              showCards();
            },
          },
          `${count} ${state}`,
        ),
      ),
  );
}

/** What is in trouble first; each card is made anew only if something of it has changed. */
function showCards() {
  const words = byId("filter").value.trim().toLowerCase();
  const wanted = view.virtualClusters
    .filter(({ name, state }) => name.toLowerCase().includes(words) && (!only || only === state))
    .sort(
      (one, other) =>
        STATES.indexOf(one.state) - STATES.indexOf(other.state) || one.name.localeCompare(other.name),
    );
  const names = new Set(wanted.map(({ name }) => name));
  for (const [name, { node }] of shown) {
    if (!names.has(name)) {
      node.remove();
      shown.delete(name);
    }
  }
  const nodes = wanted.map(cardOf);
  let before = byId("cards").firstElementChild;
  for (const node of nodes) {
    if (node === before) {
      before = before.nextElementSibling;
    } else {
      byId("cards").insertBefore(node, before);
    }
  }
  byId("none").hidden = wanted.length > 0;
  byId("none").textContent =
    view.virtualClusters.length > 0 ? "No virtual cluster matches." : "No virtual cluster is configured.";
}

function cardOf(cluster) {
  const had = shown.get(cluster.name);
  // Time in a state is part of what a card says: made anew every ten seconds.
  const text = JSON.stringify([cluster, Math.floor(Date.now() / 10_000)]);
  if (had?.text === text) {
    return had.node;
  }
  const node = card(cluster, ask, open);
  if (had) {
    const focused = had.node.contains(document.activeElement) && document.activeElement.dataset.action;
    const inside = had.node.contains(document.activeElement);
    had.node.replaceWith(node);
    if (inside) {
      (node.querySelector(`[data-action="${focused}"]`) ?? node.querySelector("h3 button")).focus();
    }
  }
  shown.set(cluster.name, { node, text });
  return node;
}

/** Shows all of one, and again whenever something is heard, for as long as it is wanted. */
async function open(name) {
  opened = name;
  const dialog = byId("details");
  let cluster;
  try {
    cluster = await get(clusterPath(name));
  } catch (refused) {
    notRenewed(name, refused);
    return;
  }
  if (opened !== name) {
    return; // It was closed, or another one opened, before the answer came.
  }
  byId("details-title").textContent = name;
  renew(byId("details-body"), details(cluster, ask));
  if (!dialog.open) {
    openOver(dialog, name);
  }
}

/** What is shown already stays, unless it is of something that is gone. */
function notRenewed(name, refused) {
  if (opened !== name) {
    return;
  }
  const dialog = byId("details");
  const gone = refused.status === 404;
  if (gone && dialog.open) {
    dialog.close();
  }
  if (!dialog.open) {
    opened = undefined;
  }
  say(gone ? `There is no virtual cluster ${name} any more.` : dialog.open ? `Not renewed: ${refused.message}` : refused.message);
}

byId("details").addEventListener("close", () => {
  opened = undefined;
});

/** Asks the person, then the proxy. */
async function ask(action, cluster) {
  const agreed = await confirm(`${action} ${cluster.name}?`, action, element("p", {}, consequence(action)));
  if (!agreed) {
    return;
  }
  try {
    await post(`${clusterPath(cluster.name)}/${action}`, askForToken);
    say(`${cluster.name}: ${action} asked.`);
  } catch (refused) {
    say(refused.message);
  }
  look();
}

byId("reload-plan").addEventListener("click", async () => {
  try {
    const came = await reload(confirm, show, askForToken);
    if (came) {
      say(came);
    }
  } catch (refused) {
    say(refused.message);
  }
  look();
});

byId("filter").addEventListener("input", () => {
  showCards();
  announce(`${shown.size} shown.`);
});
