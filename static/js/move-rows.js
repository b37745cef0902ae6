// The rows of moves: what has come into them is added, and nothing else is touched.

import { dataOf, find, findAll } from "./page.js";

/**
 * Return the ply to which an entry leads, which is a link or has one.
 *
 * @param {HTMLElement} entry
 */
const plyOf = (entry) => Number(dataOf(entry.dataset.ply ? entry : find(entry, "[data-ply]", HTMLElement), "ply"));

/**
 * Put `rows` (HTML) into `box`, with what has come since `ply`: rows that are there get more entries.
 *
 * @param {HTMLElement} box
 * @param {string} rows
 * @param {number} ply
 */
export const mergeRows = (box, rows, ply) => {
  for (const row of findAll(box, "[data-row]", HTMLElement)) if (Number(dataOf(row, "row")) >= ply) row.remove();
  for (const entry of findAll(box, "[data-entries] > *", HTMLElement)) {
    if (plyOf(entry) > ply || "open" in entry.dataset) entry.remove();
  }
  const fresh = /** @type {HTMLElement} */ (box.cloneNode(false));
  fresh.innerHTML = rows;
  for (const row of findAll(fresh, "[data-row]", HTMLElement)) {
    const there = findAll(box, `${row.localName}[data-row="${dataOf(row, "row")}"]`, HTMLElement)
      .find((each) => each.className === row.className);
    const cells = there && findAll(there, "[data-entries]", HTMLElement);
    if (cells) findAll(row, "[data-entries]", HTMLElement).forEach((cell, at) => cells[at].append(...cell.children));
    else box.append(row);
  }
};
