// The page of an analysis: shows the move at the pointer or the focus, and refreshes the page until the analysis is complete.

import { getFragment } from "./api.js";
import { keepPlace } from "./focus.js";
import { byId, find, findAll, findAround, readData } from "./page.js";

const REFRESH_DELAY = 1500;
const HIDDEN_REFRESH_DELAY = 10000;

/** @param {HTMLElement | Document} root */
const explore = (root) => {
  const curve = root.querySelector(".chance-curve");
  if (!(curve instanceof SVGElement)) return;
  const moves = findAll(curve, "a.move", SVGAElement);
  const readout = find(root, "#readout", HTMLElement);
  const first = readout.textContent;
  find(root, ".with-script", HTMLElement).hidden = false;
  /** @param {Event} event */
  const moveAt = (event) => findAround(event, "a.move", SVGAElement);

  /** @param {SVGAElement | null} move */
  const show = (move) => {
    for (const other of curve.querySelectorAll("a.move.shown")) other.classList.remove("shown");
    move?.classList.add("shown");
    readout.textContent = move?.dataset.line ?? first;
  };
  /** @param {SVGAElement | null} move */
  const makeTabbable = (move) => {
    for (const other of moves) other.setAttribute("tabindex", other === move ? "0" : "-1");
  };
  makeTabbable(moves.at(-1) ?? null);

  curve.addEventListener("pointerover", (event) => show(moveAt(event)));
  curve.addEventListener("pointerleave", () => show(moves.find((move) => move === document.activeElement) ?? null));
  curve.addEventListener("focusin", (event) => {
    makeTabbable(moveAt(event));
    show(moveAt(event));
  });
  curve.addEventListener("focusout", () => show(null));
  curve.addEventListener("keydown", (press) => {
    const at = moves.findIndex((move) => move === moveAt(press));
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
  const shown = byId("analysis");
  const progress = fresh.querySelector(".working");
  if (progress && shown.contains(document.activeElement)) {
    // A reader who explores the curve keeps their place until all of it is there.
    find(shown, ".working", Element).replaceWith(progress);
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
    if (byId("analysis").hasAttribute("data-going-on")) {
      setTimeout(ask, document.hidden ? HIDDEN_REFRESH_DELAY : REFRESH_DELAY);
    }
  };
  schedule();
};

explore(document);
follow(readData("page-data").analysis);
