// Keeps lists of matches and seeks up to date: fetches the page again and exchanges its parts that have `data-live` and an id.

import { getFragment } from "./api.js";
import { keepPlace } from "./focus.js";
import { showLocalTimes } from "./local-times.js";

const REFRESH_DELAY = 300;
const REFRESH_INTERVAL = 30000;

const refresh = async () => {
  if (!document.querySelector("[data-live]")) return;
  const url = new URL(location.href);
  url.searchParams.set("live", "1");
  const page = new DOMParser().parseFromString(await getFragment(url), "text/html");
  showLocalTimes(page);
  for (const part of document.querySelectorAll("[data-live]")) {
    const fresh = page.getElementById(part.id);
    if (!fresh || fresh.innerHTML === part.innerHTML) continue;
    keepPlace(part, () => {
      part.replaceChildren(...fresh.childNodes);
    });
  }
};

/**
 * Refresh the lists when `stream` has news of the player, and regularly while the page is visible.
 *
 * @param {EventStream} stream
 */
export const refreshLists = (stream) => {
  let timer = 0;
  /** @param {number} delay */
  const schedule = (delay) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // A list that cannot be fetched now is fetched the next time.
      if (!document.hidden) refresh().catch(() => {});
      schedule(REFRESH_INTERVAL);
    }, delay);
  };
  for (const news of ["match", "seek", "anew"]) stream.addEventListener(news, () => schedule(REFRESH_DELAY));
  document.addEventListener("visibilitychange", () => document.hidden || schedule(REFRESH_DELAY));
  schedule(REFRESH_INTERVAL);
};
