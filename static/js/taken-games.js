// Opens a match as soon as somebody has taken the player's game; shows a notice where opening it would disturb.

import { byId, dataOf, find, findAll } from "./page.js";

/**
 * Open taken games on a page with `data-leads`, unless somebody is filling in a form on it; else show the notice.
 *
 * @param {EventStream} stream
 */
export const followTakenGames = (stream) => {
  const leads = document.querySelector("[data-leads]") !== null;
  const notice = byId("taken");
  /** @param {number} match */
  const urlOf = (match) => dataOf(notice, "url").replace("/0/", `/${match}/`);

  const waiting = findAll(document, "[data-own-seek]", HTMLElement).map((row) => Number(dataOf(row, "ownSeek")));
  stream.join({ leads, waiting });
  if (leads) document.addEventListener("input", () => stream.join({ leads: false }), { once: true });

  find(notice, "button", HTMLButtonElement).addEventListener("click", () => { notice.hidden = true; });
  stream.addEventListener("taken", ({ detail: { match, isLed, isSeen } }) => {
    if (isLed) {
      location.assign(urlOf(match));
    } else if (!isSeen) {
      find(notice, "a", HTMLAnchorElement).href = urlOf(match);
      notice.hidden = false;
      find(notice, "[role=status]", HTMLElement).textContent = dataOf(notice, "text");
    }
  });
};
