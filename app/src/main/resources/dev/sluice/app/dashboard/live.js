// What happens, as it happens: server-sent events tell of steps; counts are asked for, often only
// while something is on its way.

import { getIfAny } from "./api.js";

const CALM_MILLIS = 3000;
const BUSY_MILLIS = 500;
const MOVING = new Set(["initializing", "draining"]);

/**
 * @param heard is told of each full view of the proxy; of none where the process has no virtual
 *     clusters: it only rolls
 * @param live is told whether it is heard as it happens
 */
export function follow(heard, live) {
  let timer;
  let asking = false;

  const look = async () => {
    clearTimeout(timer);
    if (asking) {
      return;
    }
    asking = true;
    const view = await getIfAny("api/v1/virtual-clusters").catch(() => null);
    asking = false;
    const busy = view?.virtualClusters.some((each) => MOVING.has(each.state) || each.drain);
    const silent = view === null;
    if (!document.hidden) {
      timer = setTimeout(look, busy ? BUSY_MILLIS : CALM_MILLIS);
    }
    if (silent) {
      live(false);
      return;
    }
    heard(view);
    if (view === undefined) {
      live(true);
    } else {
      listen();
    }
  };

  let events;
  const listen = () => {
    if (events) {
      return;
    }
    events = new EventSource("api/v1/events");
    events.addEventListener("open", () => live(true));
    events.addEventListener("error", () => live(false)); // The browser connects again by itself.
    events.addEventListener("snapshot", (event) => heard(JSON.parse(event.data)));
    for (const kind of ["transition", "note", "drain", "drained", "reload"]) {
      events.addEventListener(kind, look);
    }
  };
  document.addEventListener("visibilitychange", look);
  look();
  return look;
}
