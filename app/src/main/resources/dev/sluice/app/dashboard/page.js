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
  return span(Math.max(0, now - Date.parse(at)));
}

export function span(millis) {
  if (millis < 1000) {
    return `${Math.round(millis)} ms`;
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

/** Puts other children into a place; what was focused, scrolled or opened in it stays so. */
export function renew(place, children) {
  const before = [...place.querySelectorAll(KEPT)].map((each) => ({
    focused: each === document.activeElement,
    scrolled: each.scrollLeft,
    open: each.open,
  }));
  place.replaceChildren(...children);
  [...place.querySelectorAll(KEPT)].slice(0, before.length).forEach((each, at) => {
    const { focused, scrolled, open } = before[at];
    each.scrollLeft = scrolled;
    if (each.tagName === "DETAILS") {
      each.open = open;
    }
    if (focused) {
      each.focus({ preventScroll: true });
    }
  });
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

let hush;

/** Says something to the person, for a while. */
export function say(sentence) {
  const where = document.getElementById("said");
  where.replaceChildren(element("p", {}, sentence));
  clearTimeout(hush);
  hush = setTimeout(() => where.replaceChildren(), 8000);
}
