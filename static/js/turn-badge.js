// The number of matches that wait for the player: in the header, in the title, as a dot on the icon and on that of the app; and whether the site
// is paused.

import { byId, dataOf } from "./page.js";

const NUMBER = /^\(\d+\) /;

/**
 * Show the number from `stream`'s latest `turns`.
 *
 * @param {EventStream} stream
 */
export const followTurnCount = (stream) => {
  const badge = byId("turns");
  const icon = byId("icon");
  const banner = byId("site-pause");
  stream.addEventListener("turns", ({ detail: { count, label, pause } }) => {
    badge.hidden = !count;
    badge.textContent = label;
    document.title = `${count ? `(${count}) ` : ""}${document.title.replace(NUMBER, "")}`;
    const wanted = dataOf(icon, count ? "turn" : "still");
    if (icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
    navigator.setAppBadge?.(count).catch(() => {
      // Only an app that is installed has a badge.
    });
    if (banner.hidden !== !pause) banner.innerHTML = pause;
    banner.hidden = !pause;
  });
};
