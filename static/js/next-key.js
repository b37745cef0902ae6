// The key `n`, which leads to the player's next match as the badge in the header does.

import { byId, findAround } from "./page.js";

/** Follow the badge when its key is pressed, unless the player has switched that off, or is writing. */
export const followNextKey = () => {
  const badge = byId("turns");
  const key = badge.getAttribute("aria-keyshortcuts");
  document.addEventListener("keydown", (event) => {
    if (event.key !== key || badge.hidden || event.repeat || event.altKey || event.ctrlKey || event.metaKey) return;
    if (!findAround(event, "input, select, textarea", Element)) badge.click();
  });
};
