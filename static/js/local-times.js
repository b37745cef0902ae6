// Shows moments in the zone of the reader's browser. The server prints them in UTC, in the same form.

import { dataOf, findAll } from "./page.js";

const language = document.documentElement.lang || "en";
const dayParts = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric" });
const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** @param {Date} moment */
const sayDay = (moment) => {
  const parts = Object.fromEntries(dayParts.formatToParts(moment).map(({ type, value }) => [type, value]));
  return `${parts.day} ${parts.month} ${parts.year}`;
};

/** @type {Record<string, (moment: Date) => string>} */
const say = { day: sayDay, moment: (moment) => `${sayDay(moment)}, ${clock.format(moment)}` };

/**
 * Rewrite the moments inside `root`, an element or a document; what they were in UTC becomes their title.
 *
 * @param {HTMLElement | Document} root
 */
export const showLocalTimes = (root) => {
  for (const time of findAll(root, "time[data-local]:not([title])", HTMLTimeElement)) {
    time.title = time.textContent;
    time.textContent = say[dataOf(time, "local")](new Date(time.dateTime));
  }
};

/** Rewrite the moments of the page, and of whatever is put on it later. */
export const keepTimesLocal = () => {
  showLocalTimes(document);
  new MutationObserver((changes) => {
    const isNew = changes.some(({ addedNodes }) => [...addedNodes].some((node) => node.nodeType === Node.ELEMENT_NODE));
    if (isNew) showLocalTimes(document);
  }).observe(document.body, { childList: true, subtree: true });
};
