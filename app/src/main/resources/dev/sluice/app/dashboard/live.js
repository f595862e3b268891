// What happens, as it happens: server-sent events tell of steps; counts are asked for, often only
// while something is on its way.

import { getIfAny } from "./api.js";

const CALM_MILLIS = 3000;
const BUSY_MILLIS = 500;
const MOVING = new Set(["initializing", "draining"]);

/**
 * @param heard is told of each full view of the proxy; of none where the process has no virtual
 *     clusters: it only rolls, and how a roll ended is told at once, since the process may end with it
 * @param reloaded is told that a reload may have ended
 * @param live is told whether it is heard as it happens, and whether that is so since all is over
 */
export function follow({ heard, reloaded, live }) {
  let timer;
  let asking = false;
  let again = false;
  let rolls = false;

  const look = async () => {
    clearTimeout(timer);
    if (asking) {
      again = true; // What has just been told may not be in the answer that is on its way.
      return;
    }
    asking = true;
    again = false;
    const view = rolls ? undefined : await getIfAny("api/v1/virtual-clusters").catch(() => null);
    asking = false;
    rolls = view === undefined;
    const busy = view?.virtualClusters.some((each) => MOVING.has(each.state) || each.drain);
    if (!document.hidden) {
      timer = setTimeout(look, again ? 0 : busy ? BUSY_MILLIS : CALM_MILLIS);
    }
    if (view === null) {
      live(false, over);
      return;
    }
    heard(view);
    listen();
  };

  let over = false;
  let events;
  const listen = () => {
    if (events) {
      return;
    }
    events = new EventSource("api/v1/events");
    events.addEventListener("open", () => {
      over = false;
      live(true);
    });
    events.addEventListener("error", () => live(false, over)); // The browser connects again by itself.
    events.addEventListener("snapshot", (event) => {
      const told = JSON.parse(event.data);
      heard(told.virtualClusters ? told : undefined);
      reloaded();
    });
    events.addEventListener("reload", reloaded);
    events.addEventListener("roll", (event) => {
      const told = JSON.parse(event.data);
      over = Boolean(told.outcome);
      if (over) {
        heard(undefined, told);
      } else {
        look();
      }
    });
    for (const kind of ["transition", "note", "drain", "drained", "reload"]) {
      events.addEventListener(kind, look);
    }
  };
  document.addEventListener("visibilitychange", look);
  look();
  return look;
}
