// Keeps lists of matches and seeks as they are: a page's parts with `data-live` and an id are taken from it anew.

import { getFragment } from "./api.js";
import { keepPlace } from "./focus.js";

const SETTLING = 300;
const OFTEN = 30000;

const renew = async () => {
  const address = new URL(location.href);
  address.searchParams.set("live", "1");
  const page = new DOMParser().parseFromString(await getFragment(address), "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const fresh = page.getElementById(part.id);
    if (!fresh || fresh.innerHTML === part.innerHTML) continue;
    keepPlace(part, () => {
      part.replaceChildren(...fresh.childNodes);
    });
  }
};

/** Renew them when `stream` tells of something of the player's, and now and then while somebody looks. */
export const followLists = (stream) => {
  if (!document.querySelector("[data-live]")) return;
  let timer = 0;
  const plan = (delay) => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      // What cannot be fetched now is fetched the next time.
      if (!document.hidden) await renew().catch(() => {});
      plan(OFTEN);
    }, delay);
  };
  for (const news of ["match", "seek", "anew"]) stream.addEventListener(news, () => plan(SETTLING));
  document.addEventListener("visibilitychange", () => document.hidden || plan(SETTLING));
  plan(OFTEN);
};
