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

export function table(titles, rows) {
  return element(
    "div",
    { class: "wide" },
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title)))),
      element(
        "tbody",
        {},
        ...rows.map((cells) => element("tr", {}, ...cells.map((cell) => element("td", {}, cell ?? "")))),
      ),
    ),
  );
}

let hush;

/** Says something to the person, for a while. */
export function say(sentence) {
  const where = document.getElementById("said");
  where.replaceChildren(element("p", {}, sentence));
  clearTimeout(hush);
  hush = setTimeout(() => where.replaceChildren(), 8000);
}
