// The rows of moves: what has come into them is added, and nothing else is touched.

import { dataOf, findAll } from "./page.js";

/**
 * Return the elements in `box` that begin or come after `ply`, by one of their `data-` attributes.
 *
 * @param {ParentNode} box
 * @param {"row" | "entry"} name
 * @param {number} ply
 */
const since = (box, name, ply) =>
  findAll(box, `[data-${name}]`, HTMLElement).filter((each) => Number(dataOf(each, name)) >= ply);

/**
 * Put `rows` (HTML) into `box`, with what has come since `ply`: rows that are there get more entries.
 *
 * @param {HTMLElement} box
 * @param {string} rows
 * @param {number} ply
 */
export const mergeRows = (box, rows, ply) => {
  const stale = [...since(box, "row", ply), ...since(box, "entry", ply + 1), ...findAll(box, "[data-open]", HTMLElement)];
  for (const each of stale) each.remove();
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
