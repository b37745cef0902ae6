// Goes along the curve of an analysis by pointer or keyboard, and follows an analysis that is still being made.

import { getFragment } from "./api.js";
import { keepPlace } from "./focus.js";

const SOON = 1500;
const UNSEEN = 10000;

const explore = (root) => {
  const curve = root.querySelector(".chance-curve");
  if (!curve) return;
  const events = [...curve.querySelectorAll("a.event")];
  const readout = root.querySelector("#readout");
  const first = readout.textContent;
  root.querySelector(".with-script").hidden = false;

  const show = (event) => {
    for (const other of curve.querySelectorAll("a.event.shown")) other.classList.remove("shown");
    event?.classList.add("shown");
    readout.textContent = event?.dataset.line ?? first;
  };
  const reach = (event) => {
    for (const other of events) other.setAttribute("tabindex", other === event ? "0" : "-1");
  };
  reach(events.at(-1));

  curve.addEventListener("pointerover", ({ target }) => show(target.closest("a.event")));
  curve.addEventListener("pointerleave", () => show(events.find((event) => event === document.activeElement)));
  curve.addEventListener("focusin", ({ target }) => {
    reach(target.closest("a.event"));
    show(target.closest("a.event"));
  });
  curve.addEventListener("focusout", () => show(null));
  curve.addEventListener("keydown", (press) => {
    const at = events.indexOf(press.target.closest("a.event"));
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: events.length - 1 }[press.key];
    if (to === undefined || !events[to]) return;
    press.preventDefault();
    events[to].focus();
  });
};

/** Take over what the page says now, unless it cannot be had. */
const renew = async () => {
  const page = new DOMParser().parseFromString(await getFragment(location.href), "text/html");
  const fresh = page.getElementById("analysis");
  if (!fresh) return;
  const shown = document.getElementById("analysis");
  const progress = fresh.querySelector(".working");
  if (progress && shown.contains(document.activeElement)) {
    // Whoever is going along the curve stays where he is until all of it is there.
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
  const look = async () => {
    try {
      const headers = { Accept: "application/json", ...(tag && { "If-None-Match": tag }) };
      const response = await fetch(url, { headers, cache: "no-store" });
      if (response.ok) {
        await renew();
        tag = response.headers.get("ETag") ?? "";
      }
    } catch {
      // The server cannot be reached: the next look may find it.
    }
    plan();
  };
  const plan = () => {
    if (document.getElementById("analysis").hasAttribute("data-going-on")) {
      setTimeout(look, document.hidden ? UNSEEN : SOON);
    }
  };
  plan();
};

explore(document);
follow(JSON.parse(document.getElementById("page-data").textContent).analysis);
