// Shows a board of the game that a visitor picks on the first page, and how it is played.

import { getFragment } from "./api.js";
import { find } from "./page.js";

const PARTS = [".hero-board", ".how"];

const form = find(document, ".hero form", HTMLFormElement);
const pick = () => find(form, "[name=game]:checked", HTMLInputElement).value;
let shown = pick();

const show = async () => {
  const picked = pick();
  if (picked === shown) return;
  const url = new URL(location.href);
  url.searchParams.set("game", picked);
  const page = new DOMParser().parseFromString(await getFragment(url), "text/html");
  // Of several answers that of the last choice counts.
  if (picked !== pick()) return;
  for (const part of PARTS) find(document, part, HTMLElement).replaceWith(find(page, part, HTMLElement));
  shown = picked;
};

// A page that cannot be fetched explains the game that it explained before.
const tryToShow = () => void show().catch(() => {});

form.addEventListener("change", tryToShow);
// Browsers pick again what was picked when somebody comes back to the page.
window.addEventListener("pageshow", tryToShow);
