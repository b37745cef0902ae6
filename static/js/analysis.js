// The page of an analysis: shows the move at the pointer or the focus, and refreshes the page until the analysis is complete.

import { getFragment } from "./api.js";
import { keepPlace } from "./focus.js";

const REFRESH_DELAY = 1500;
const HIDDEN_REFRESH_DELAY = 10000;

/** @param {HTMLElement | Document} root */
const explore = (root) => {
  const curve = /** @type {SVGElement} */ (root.querySelector(".chance-curve"));
  if (!curve) return;
  const moves = [.../** @type {NodeListOf<SVGAElement>} */ (curve.querySelectorAll("a.move"))];
  const readout = /** @type {HTMLElement} */ (root.querySelector("#readout"));
  const first = readout.textContent;
  (/** @type {HTMLElement} */ (root.querySelector(".with-script"))).hidden = false;
  /** @type {(event: Event) => SVGAElement} */
  const moveAt = ({ target }) => (/** @type {Element} */ (target)).closest("a.move");

  /** @param {SVGAElement} move */
  const show = (move) => {
    for (const other of curve.querySelectorAll("a.move.shown")) other.classList.remove("shown");
    move?.classList.add("shown");
    readout.textContent = move?.dataset.line ?? first;
  };
  /** @param {SVGAElement} move */
  const makeTabbable = (move) => {
    for (const other of moves) other.setAttribute("tabindex", other === move ? "0" : "-1");
  };
  makeTabbable(moves.at(-1));

  curve.addEventListener("pointerover", (event) => show(moveAt(event)));
  curve.addEventListener("pointerleave", () => show(moves.find((move) => move === document.activeElement)));
  curve.addEventListener("focusin", (event) => {
    makeTabbable(moveAt(event));
    show(moveAt(event));
  });
  curve.addEventListener("focusout", () => show(null));
  curve.addEventListener("keydown", (press) => {
    const at = moves.indexOf(moveAt(press));
    /** @type {Record<string, number>} */
    const targets = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: moves.length - 1 };
    const to = targets[press.key];
    if (to === undefined || !moves[to]) return;
    press.preventDefault();
    moves[to].focus();
  });
};

/** Exchange the analysis for the one that the server has now. */
const refresh = async () => {
  const page = new DOMParser().parseFromString(await getFragment(location.href), "text/html");
  const fresh = page.getElementById("analysis");
  if (!fresh) return;
  const shown = document.getElementById("analysis");
  const progress = fresh.querySelector(".working");
  if (progress && shown.contains(document.activeElement)) {
    // Whoever explores the curve keeps their place until all of it is there.
    shown.querySelector(".working").replaceWith(progress);
    return;
  }
  keepPlace(shown, () => {
    shown.replaceWith(fresh);
    explore(fresh);
    return fresh;
  });
};

/** @param {string} url */
const follow = (url) => {
  let tag = "";
  const ask = async () => {
    try {
      const headers = { Accept: "application/json", ...(tag && { "If-None-Match": tag }) };
      const response = await fetch(url, { headers, cache: "no-store" });
      if (response.ok) {
        await refresh();
        tag = response.headers.get("ETag") ?? "";
      }
    } catch {
      // The server cannot be reached now: ask again later.
    }
    schedule();
  };
  const schedule = () => {
    if (document.getElementById("analysis").hasAttribute("data-going-on")) {
      setTimeout(ask, document.hidden ? HIDDEN_REFRESH_DELAY : REFRESH_DELAY);
    }
  };
  schedule();
};

explore(document);
follow(JSON.parse(document.getElementById("page-data").textContent).analysis);
