// Shows what has changed of a bracket without asking: rows come with the stream, made once for all who watch.

import { keepPlace } from "./focus.js";
import { findAll } from "./page.js";
import { exchange } from "./part-exchange.js";

/**
 * Show the rows of an event. Return false if this page cannot: it has to be fetched, since it shows something else of the
 * group, other results than the rows follow on, or more to the reader whose own row it is.
 *
 * @param {TableEvent} event
 */
export const showRows = ({ stage, group, results, rows, rows_since: since }) => {
  const shown = findAll(document, `[data-group="${stage}.${group}"]`, HTMLElement);
  if (rows === undefined || !shown.length || shown.some(({ dataset }) => Number(dataset.results) !== since)) return false;
  const { body } = new DOMParser().parseFromString(rows, "text/html");
  const known = [...body.querySelectorAll("[id]")].flatMap((fresh) => {
    const stale = document.getElementById(fresh.id);
    return stale ? [{ stale, fresh }] : [];
  });
  if (known.some(({ stale }) => stale.matches(".me, :has(.mine)"))) return false;
  for (const { stale, fresh } of known) {
    keepPlace(stale, () => exchange(stale, fresh));
    if (fresh.querySelector(".winner")) dropRow(document.querySelector(`[data-tie="${fresh.id}"]`));
  }
  for (const { dataset } of shown) dataset.results = String(results);
  return true;
};

/**
 * Leave a match that is over out of what a cup waits for, unless it is the last: then the cup waits for something else.
 *
 * @param {{ match: number, status: string }} event
 */
export const dropMatch = ({ match, status }) => {
  if (status === "finished") dropRow(document.getElementById(`waits-${match}`));
};

/** @param {Element | null} row */
const dropRow = (row) => {
  if (row?.matches(":not(:only-child)")) row.remove();
};
