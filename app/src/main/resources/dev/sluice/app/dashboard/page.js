// Small pieces that everything on the page is made of. Text is always set as text, never as markup.

/** An element with attributes and children; children that are undefined or false are left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) {
      made.addEventListener(key.slice(2), value);
    } else if (value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? "" : value);
    }
  }
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

const SHAPES = "http://www.w3.org/2000/svg";

export function shape(name, attributes = {}, ...children) {
  const made = document.createElementNS(SHAPES, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export const badge = (state, word = state) =>
  element("span", { class: "badge", "data-state": state }, word);

/** How long ago, as people say it. */
export function since(at, now = Date.now()) {
  const millis = now - Date.parse(at);
  return millis < 1000 ? "less than 1 s" : span(Math.floor(millis / 1000) * 1000);
}

export function span(millis) {
  if (millis < 1000) {
    return `${Math.round(millis)} ms`;
  }
  if (millis < 10_000 && millis % 1000 !== 0) {
    return `${(millis / 1000).toFixed(1)} s`;
  }
  const seconds = Math.floor(millis / 1000);
  const parts = [
    [Math.floor(seconds / 86400), "d"],
    [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ].filter(([many]) => many > 0);
  return parts
    .slice(0, 2)
    .map(([many, unit]) => `${many} ${unit}`)
    .join(" ");
}

/** So many of a thing. */
export const many = (count, thing) => `${count} ${thing}${count === 1 ? "" : "s"}`;

/** Times within a sentence, as this person's clock shows them. */
export const local = (sentence) =>
  sentence.replace(/\d{4}-\d\d-\d\dT[\d:]+(\.\d+)?Z/g, (at) => new Date(at).toLocaleTimeString());

export const clock = (at) =>
  element("time", { datetime: at, title: at }, new Date(at).toLocaleTimeString());

/** A list of terms and what they are. */
export function numbers(pairs) {
  return element(
    "dl",
    { class: "numbers" },
    ...pairs
      .filter(([, value]) => value !== undefined)
      .map(([term, value]) =>
        element("div", {}, element("dt", {}, term), element("dd", {}, String(value))),
      ),
  );
}

const LONG = 20;

/**
 * Columns that say nothing are left out.
 *
 * @param name what it is read aloud as: it can be scrolled with the keyboard
 */
export function table(name, titles, rows) {
  const telling = titles.map((_, at) => rows.some((cells) => (cells[at] ?? "") !== ""));
  const told = (cells) => cells.filter((_, at) => telling[at]);
  const cell = (content = "") =>
    element("td", { class: typeof content === "string" && content.length < LONG && "short" }, content);
  return element(
    "div",
    { class: "wide", role: "region", tabindex: "0", "aria-label": name },
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...told(titles).map((title) => element("th", { scope: "col" }, title)))),
      element(
        "tbody",
        {},
        ...rows.map((cells) => element("tr", {}, ...told(cells).map(cell))),
      ),
    ),
  );
}

const KEPT = "[tabindex], button, summary, details";

/** What tells one from the others around it, also when they are made anew. */
const nameOf = (each) => each.dataset.action ?? each.getAttribute("aria-label") ?? each.querySelector("summary")?.textContent ?? each.textContent;

/** Puts other children into a place; what was focused, scrolled or opened in it stays so. */
export function renew(place, children) {
  const before = [...place.querySelectorAll(KEPT)].map((each, at) => ({
    name: nameOf(each),
    kind: each.tagName,
    at,
    focused: each === document.activeElement,
    scrolled: each.scrollLeft,
    open: each.open,
  }));
  place.replaceChildren(...children);
  const after = [...place.querySelectorAll(KEPT)];
  for (const { name, kind, at, focused, scrolled, open } of before) {
    const same = after.find((each) => each.tagName === kind && nameOf(each) === name);
    const each = same ?? (after[at]?.tagName === kind && kind !== "DETAILS" ? after[at] : undefined);
    if (each) {
      each.scrollLeft = scrolled;
      if (kind === "DETAILS") {
        each.open = open;
      }
    }
    if (focused) {
      (each ?? place.closest("dialog")?.querySelector("button"))?.focus({ preventScroll: true });
    }
  }
}

/**
 * For what is asked for again and again: an answer that has been overtaken by a later one is dropped.
 *
 * @returns asks, and answers what came; undefined where it came too late
 */
export function newest() {
  let asked = 0;
  let answered = 0;
  return async (ask) => {
    const mine = ++asked;
    const came = await ask();
    if (mine < answered) {
      return undefined;
    }
    answered = mine;
    return came;
  };
}

/** What lies under an open dialog is not read aloud: the dialog has places of its own. */
const placeFor = (id) => document.querySelector(`dialog[open] .${id}`) ?? document.getElementById(id);

let hush;

/** Says something to the person, for a while. */
export function say(sentence) {
  const where = placeFor("said");
  if (where.textContent !== sentence) {
    where.replaceChildren(element("p", {}, sentence));
  }
  clearTimeout(hush);
  hush = setTimeout(() => document.querySelectorAll("#said, .said").forEach((each) => each.replaceChildren()), 8000);
}

/** Tells what can be seen to those who do not see it, when they have heard what is said already. */
export const announce = (sentence) => placeFor("heard").replaceChildren(element("p", {}, sentence));
