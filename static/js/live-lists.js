// Keeps parts of a page up to date that have `data-live` and an id: fetches the page again when there is news of the player,
// or of the topics in `data-topics`, and exchanges what differs.

import { announce, announceResults } from "./announcements.js";
import { getFragment } from "./api.js";
import { dropMatch, showRows } from "./competition-rows.js";
import { keepPlace } from "./focus.js";
import { showGame } from "./lobby.js";
import { showLocalTimes } from "./local-times.js";
import { findAll } from "./page.js";
import { exchange } from "./part-exchange.js";

const REFRESH_DELAY = 300;
const REFRESH_INTERVAL = 30000;
/** Milliseconds in which a page is as new as a stream that begins. */
const NEW = 5000;

const refresh = async () => {
  if (!document.querySelector("[data-live]")) return;
  const url = new URL(location.href);
  url.searchParams.set("live", "1");
  const page = new DOMParser().parseFromString(await getFragment(url), "text/html");
  showLocalTimes(page);
  for (const part of document.querySelectorAll("[data-live]")) {
    const fresh = page.getElementById(part.id);
    if (!fresh) continue;
    const said = saidIn(part);
    keepPlace(part, () => exchange(part, fresh));
    if (saidIn(part) !== said) announce(saidIn(part));
  }
};

/**
 * Return what a part says of itself when it changes, or "".
 *
 * @param {Element} part
 */
const saidIn = (part) => part.querySelector("[data-says]")?.textContent.replace(/\s+/g, " ").trim() ?? "";

/**
 * Refresh the parts when `stream` has news of them; those that are not of competitions also regularly while the page is
 * visible. The page may get others while it is open.
 *
 * @param {EventStream} stream
 */
export const refreshLists = (stream) => {
  const parts = () => findAll(document, "[data-live]", HTMLElement);
  const topics = () => parts().flatMap(({ dataset }) => dataset.topics?.split(" ") ?? []);
  const isPolled = () => parts().some(({ dataset }) => !dataset.topics?.match(/^(competition|match):/));
  let joined = "";
  // A board may show another match than before.
  const join = () => {
    if (topics().join(" ") === joined) return;
    joined = topics().join(" ");
    stream.join({ topics: topics() });
  };
  let timer = 0;
  let due = Infinity;
  /** @param {number} delay */
  const schedule = (delay) => {
    if (Date.now() + delay >= due) return;
    clearTimeout(timer);
    due = Date.now() + delay;
    timer = setTimeout(() => {
      due = Infinity;
      // A part that cannot be fetched now is fetched the next time.
      if (!document.hidden) refresh().then(join, () => {});
    }, delay);
  };
  /**
   * Refresh what shows a competition, at a moment that others who follow it do not have, too.
   *
   * @param {{ slug: string, text?: string, organises?: boolean, spread?: number }} news
   * @param {boolean} isShown
   */
  const follow = ({ slug, text, organises, spread = 1 }, isShown = false) => {
    if (topics().includes(`competition:${slug}`)) {
      if (text) announce(text);
      else announceResults();
      if (!isShown) schedule(REFRESH_DELAY + 1000 * spread * Math.random());
    } else if (isPolled() && organises !== undefined) {
      schedule(REFRESH_DELAY);
    }
  };
  stream.addEventListener("match", ({ detail }) => {
    dropMatch(detail);
    if (detail.you || topics().includes(`match:${detail.match}`)) schedule(REFRESH_DELAY);
  });
  stream.addEventListener("seek", ({ detail }) => showGame(detail) || schedule(REFRESH_DELAY));
  stream.addEventListener("competition", ({ detail }) => follow(detail));
  stream.addEventListener("table", ({ detail }) => follow(detail, showRows(detail)));
  stream.addEventListener("team", () => schedule(REFRESH_DELAY));
  stream.addEventListener("anew", ({ detail }) => {
    if (isPolled() || detail !== "ready" || performance.now() > NEW) schedule(REFRESH_DELAY);
  });
  document.addEventListener("visibilitychange", () => document.hidden || schedule(REFRESH_DELAY));
  setInterval(() => isPolled() && schedule(0), REFRESH_INTERVAL);
  join();
};
