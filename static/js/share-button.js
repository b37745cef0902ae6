// The button that copies the page's URL.

import { here } from "./here.js";
import { byId, findAround } from "./page.js";

const button = () => byId("share");

/** Show the button if the browser can copy. */
export const showShareButton = () => {
  button().hidden = !navigator.clipboard;
};

/**
 * Copy the URL when the button is pressed; `copied` is what the button says then.
 *
 * @param {string} copied
 */
export const enableShareButton = (copied) => {
  document.addEventListener("click", async (event) => {
    if (!findAround(event, "#share", Element)) return;
    const url = new URL(location.href);
    url.searchParams.delete("skipped");
    await navigator.clipboard.writeText(url.href);
    button().textContent = copied;
  }, { signal: here() });
};
