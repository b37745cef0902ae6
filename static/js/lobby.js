// Keeps the games in the lobby up to date without asking: rows come with the stream, made once for all who watch.

import { announce } from "./announcements.js";
import { findAll } from "./page.js";

const LIST = "[data-lobby]";

/**
 * Show what has become of a game. Return false if this page cannot: it has to ask for its lists.
 *
 * Whoever reads the list, or is about to press a button in it, finds all rows where they were: a game that is gone stays as
 * a row without a button, and a new one comes below the others.
 *
 * @param {SeekEvent} event
 * @returns {boolean}
 */
export const showGame = ({ seek, own, row, says }) => {
  const [list] = findAll(document, LIST, HTMLElement);
  const known = document.getElementById(`seek-${seek.id}`);
  if (own !== undefined || row === undefined) return false;
  if (!row) {
    if (!known || known.classList.contains("gone")) return true;
    known.classList.add("gone");
    known.style.minHeight = `${known.offsetHeight}px`;
    for (const buttons of known.querySelectorAll(".buttons")) buttons.textContent = list?.dataset.gone ?? "";
  } else {
    const isForSome = seek.min_rating !== null || seek.max_rating !== null || (seek.is_rated && list?.dataset.lobby === "guest");
    if (!list || isForSome) return false;
    if (known) return true;
    list[isRead(list) ? "append" : "prepend"](rowOf(row));
    const most = Number(list.dataset.most);
    while (list.children.length > most) list.lastElementChild?.remove();
  }
  announce(says ?? "");
  return true;
};

/** @param {Element} list */
const isRead = (list) => list.matches(":hover, :focus-within");

/**
 * Return a row that the server has made for all, with this page's token in its forms.
 *
 * @param {string} html
 */
const rowOf = (html) => {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const token = document.querySelector("input[name=csrfmiddlewaretoken]");
  for (const form of token ? body.querySelectorAll("form") : []) form.prepend(token?.cloneNode() ?? "");
  return body.firstElementChild ?? body;
};
