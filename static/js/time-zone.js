// Tells the server once, of a player whose time zone is not known, which one this browser has.

import { patch } from "./api.js";
import { byId, dataOf } from "./page.js";

const guess = byId("guess-zone");
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
if (timeZone) {
  patch(dataOf(guess, "url"), { time_zone: timeZone })
    .then(() => (guess.dataset.isKnown = ""))
    .catch(() => {
      // A zone that the server does not know, or no connection: the next page tries again.
    });
}
