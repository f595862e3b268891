import { clusterPath, get, post } from "./api.js";
import { card, consequence, details } from "./cluster.js";
import { follow } from "./live.js";
import { element, renew, say } from "./page.js";
import { reload, showReloads } from "./reload.js";
import { showRoll } from "./roll.js";

const STATES = ["failed", "draining", "initializing", "serving", "stopped"];
const MOST_REASONS = 3;
const byId = (id) => document.getElementById(id);

let view;
let only;
let opened;
/** The cards on the page by name, and what each was made from. */
const shown = new Map();

const look = follow({
  heard,
  reloaded: () => view && showReloads(byId("reloads"), byId("reload-body")),
  live: (live) => {
    byId("live").dataset.live = live ? "yes" : "no";
    byId("live").textContent = live ? "live" : "not live, connecting again";
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
  byId("readiness").textContent = view.ready ? "ready" : `not ready: ${brief(view.reasons)}`;
  showCounts();
  showCards();
  if (opened && byId("details").open) {
    open(opened);
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

async function open(name) {
  opened = name;
  try {
    const cluster = await get(clusterPath(name));
    byId("details-title").textContent = name;
    renew(byId("details-body"), details(cluster, ask));
    if (!byId("details").open) {
      byId("details").showModal();
    }
  } catch (refused) {
    byId("details").close();
    say(refused.message);
  }
}

/** Asks the person, then the proxy. */
async function ask(action, cluster) {
  const agreed = await confirm(`${action} ${cluster.name}?`, element("p", {}, consequence(action)));
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

/** Tells the person something that only can be taken notice of. */
const show = (title, ...body) => dialogue(title, body, false);

const confirm = (title, ...body) => dialogue(title, body, true);

function dialogue(title, body, choice) {
  const dialog = byId("ask");
  if (dialog.open) {
    return Promise.resolve(false); // One question at a time: its answer is to be its own.
  }
  byId("ask-title").textContent = title;
  byId("ask-body").replaceChildren(...body);
  byId("ask-yes").hidden = !choice;
  byId("ask-no").textContent = choice ? "Cancel" : "Close";
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) =>
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }),
  );
}

async function askForToken(why) {
  const input = element("input", { type: "password", "aria-label": "token", autocomplete: "off" });
  const agreed = await confirm("A token is needed", element("p", {}, why), input);
  return agreed ? input.value : undefined;
}

byId("filter").addEventListener("input", showCards);
