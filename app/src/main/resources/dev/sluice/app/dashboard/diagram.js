// The five states and the ways between them, the present one lit.

import { shape } from "./page.js";

const BOXES = {
  initializing: [20, 20],
  serving: [220, 20],
  draining: [220, 110],
  failed: [20, 110],
  stopped: [120, 200],
};
const WIDTH = 120;
const HEIGHT = 40;
const WAYS = {
  "initializing serving": "M140 34 H216",
  "serving draining": "M280 60 V106",
  "draining initializing": "M220 118 L144 58",
  "initializing failed": "M66 60 V106",
  "failed initializing": "M94 110 V64",
  "failed stopped": "M80 150 L146 196",
  "draining stopped": "M280 150 L214 196",
  "initializing stopped": "M20 40 H8 V220 H116",
  "serving serving": "M340 30 C372 30 372 50 344 50",
};

export function diagram(state) {
  const arrow = shape(
    "marker",
    { id: "arrow", viewBox: "0 0 8 8", refX: 6, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" },
    shape("path", { d: "M0 0 L8 4 L0 8 z" }),
  );
  const boxes = Object.entries(BOXES).map(([name, [x, y]]) => {
    const label = shape("text", { x: x + WIDTH / 2, y: y + HEIGHT / 2 });
    label.textContent = name;
    return shape(
      "g",
      { "data-state": name, class: name === state ? "now" : "" },
      shape("rect", { x, y, width: WIDTH, height: HEIGHT, rx: 8 }),
      label,
    );
  });
  return shape(
    "svg",
    { class: "diagram", viewBox: "0 0 380 250", role: "img", "aria-label": `The states; it is ${state}.` },
    shape("defs", {}, arrow),
    ...Object.entries(WAYS).map(([way, d]) => shape("path", { d, "data-way": way })),
    ...boxes,
  );
}
