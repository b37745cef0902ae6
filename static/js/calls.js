// Calls the player when it is their turn or a match has begun: by a sound, and by a notification where all tabs are hidden.
// Both are off until this browser is told to use them.

import { chime, prepareChime } from "./chime.js";
import { byId, dataOf } from "./page.js";

/** @typedef {"sound" | "notice"} Way */

/** @param {Way} way */
export const isWanted = (way) => {
  try {
    return localStorage.getItem(`call-${way}`) === "on";
  } catch {
    return false;
  }
};

/**
 * @param {Way} way
 * @param {boolean} wanted
 */
export const want = (way, wanted) => {
  try {
    localStorage.setItem(`call-${way}`, wanted ? "on" : "off");
  } catch {
    // A browser that keeps nothing does not call.
  }
};

/**
 * Call when `stream` says that this is the tab to do so.
 *
 * @param {EventStream} stream
 */
export const followCalls = (stream) => {
  if (isWanted("sound")) prepareChime();
  stream.addEventListener("call", ({ detail }) => {
    if (isWanted("sound")) chime();
    if (isWanted("notice") && document.hidden) notify(detail);
  });
};

/**
 * Show a notification, unless this browser gets one by push.
 *
 * @param {"turn" | "begun"} reason
 */
const notify = async (reason) => {
  const badge = byId("turns");
  const worker = await navigator.serviceWorker?.getRegistration();
  if (await worker?.pushManager?.getSubscription()) return;
  try {
    const notice = new Notification(dataOf(badge, reason), {
      body: badge.hidden ? "" : badge.textContent.trim(),
      icon: dataOf(byId("icon"), "turn"),
      tag: "call",
    });
    notice.addEventListener("click", () => {
      notice.close();
      focus();
      badge.click();
    });
  } catch {
    // The browsers of phones show notifications of service workers alone.
  }
};
