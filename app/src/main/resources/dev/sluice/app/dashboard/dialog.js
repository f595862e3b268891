// Questions to the person, and the way back: whoever closes a dialog is where they were before it.

import { element } from "./page.js";

const byId = (id) => document.getElementById(id);
byId("ask-no").addEventListener("click", () => byId("ask").close("no"));

/**
 * Opens a dialog; once it is closed the focus is where it was, or on what stands there by then.
 *
 * @param about the virtual cluster whose card is meant where nothing had the focus, if one is
 */
export function openOver(dialog, about) {
  const from = document.activeElement;
  const inside = from.closest("dialog");
  const cluster = from.closest("[data-cluster]")?.dataset.cluster ?? about;
  const { action } = from.dataset;
  dialog.showModal();
  dialog.addEventListener(
    "close",
    () => {
      if (from.isConnected && from !== document.body) {
        from.focus();
        return;
      }
      const place = inside?.open ? inside : cardOf(cluster);
      const again = [...(place?.querySelectorAll("[data-action]") ?? [])].find((each) => each.dataset.action === action);
      (again ?? place?.querySelector("button") ?? byId("main")).focus();
    },
    { once: true },
  );
}

const cardOf = (cluster) => [...document.querySelectorAll("[data-cluster]")].find((each) => each.dataset.cluster === cluster);

/** Tells the person something that only can be taken notice of. */
export const show = (title, ...body) => dialogue(title, body, false);

/**
 * Whether the person wants it.
 *
 * @param yes what is done then, in a word or two
 */
export const confirm = (title, yes, ...body) => dialogue(title, body, yes);

function dialogue(title, body, yes) {
  const dialog = byId("ask");
  if (dialog.open) {
    return Promise.resolve(false); // One question at a time: its answer is to be its own.
  }
  byId("ask-title").textContent = title;
  byId("ask-body").replaceChildren(...body);
  byId("ask-yes").hidden = !yes;
  byId("ask-yes").textContent = yes || "";
  byId("ask-no").textContent = yes ? "Cancel" : "Close";
  dialog.returnValue = "no";
  openOver(dialog);
  return new Promise((resolve) =>
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }),
  );
}

/** A token, which Enter sends as well. */
export async function askForToken(why) {
  const input = element("input", { type: "password", "aria-label": "token", autocomplete: "off", form: "ask-form", autofocus: true });
  const agreed = await confirm("A token is needed", "Send it", element("p", {}, why), input);
  return agreed ? input.value : undefined;
}
