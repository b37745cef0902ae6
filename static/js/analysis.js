// The page of an analysis: shows the move at the pointer or the focus, and refreshes the page until the analysis is complete.

import { getFragment } from "./api.js";
import { keepPlace } from "./focus.js";

const REFRESH_DELAY = 1500;
const HIDDEN_REFRESH_DELAY = 10000;

const explore = (root) => {
  const curve = root.querySelector(".chance-curve");
  if (!curve) return;
  const moves = [...curve.querySelectorAll("a.move")];
  const readout = root.querySelector("#readout");
  const first = readout.textContent;
  root.querySelector(".with-script").hidden = false;

  const show = (move) => {
    for (const other of curve.querySelectorAll("a.move.shown")) other.classList.remove("shown");
    move?.classList.add("shown");
    readout.textContent = move?.dataset.line ?? first;
  };
  const makeTabbable = (move) => {
    for (const other of moves) other.setAttribute("tabindex", other === move ? "0" : "-1");
  };
  makeTabbable(moves.at(-1));

  curve.addEventListener("pointerover", ({ target }) => show(target.closest("a.move")));
  curve.addEventListener("pointerleave", () => show(moves.find((move) => move === document.activeElement)));
  curve.addEventListener("focusin", ({ target }) => {
    makeTabbable(target.closest("a.move"));
    show(target.closest("a.move"));
  });
  curve.addEventListener("focusout", () => show(null));
  curve.addEventListener("keydown", (press) => {
    const at = moves.indexOf(press.target.closest("a.move"));
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: moves.length - 1 }[press.key];
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
