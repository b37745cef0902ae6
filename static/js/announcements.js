// Says to those who do not see it what has changed on the page by itself.

import { byId, dataOf } from "./page.js";

/**
 * Say a sentence, once the reader has said what it is saying.
 *
 * @param {string} sentence
 */
export const announce = (sentence) => {
  if (sentence) byId("announcements").textContent = sentence;
};

/** Say that results of what the page shows have changed. */
export const announceResults = () => announce(dataOf(byId("announcements"), "results"));
