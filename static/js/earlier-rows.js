// The earlier rows of moves: a page has the latest ones, and asks for the others when somebody wants to see them.

import { getFragment } from "./api.js";
import { byId, dataOf, find, findAll } from "./page.js";

/** @param {HTMLElement} row */
const plyOf = (row) => Number(dataOf(row, "row"));

export class EarlierRows {
  /** @type {Promise<void> | undefined} */
  #loading;

  /**
   * `url` is that of the panels, `onShown()` is called when the rows have come.
   *
   * @param {{url: string, onShown: () => void}} parts
   */
  constructor({ url, onShown }) {
    this.url = url;
    this.onShown = onShown;
  }

  /**
   * Show the row of the move after which `ply` moves were played, if it is one of the earlier rows.
   *
   * @param {number} ply
   */
  async showMove(ply) {
    const first = document.querySelector("[data-row]");
    if (first instanceof HTMLElement && plyOf(first) >= ply) await this.show();
  }

  /** Show all earlier rows, unless the page has them. They are asked for once, however often they are wanted. */
  show() {
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #load() {
    if (!document.getElementById("earlier")) return;
    const panels = document.createElement("div");
    panels.innerHTML = await getFragment(`${this.url}?rows=all`);
    const link = document.getElementById("earlier");
    if (!link) return;
    const [moves, box] = [byId("moves"), find(document, "[data-rows]", HTMLElement)];
    const first = plyOf(find(box, "[data-row]", HTMLElement));
    const all = findAll(find(panels, "[data-rows]", HTMLElement), "[data-row]", HTMLElement);
    const earlier = all.filter((row) => plyOf(row) < first);
    // The first of the latest rows has the heading of its part; among all rows it may be one of those that need none.
    const firstHere = findAll(box, `[data-row="${first}"]`, HTMLElement);
    if (firstHere.length > all.filter((row) => plyOf(row) === first).length) firstHere[0].remove();
    const [hadFocus, below] = [link.contains(document.activeElement), moves.scrollHeight - moves.scrollTop];
    link.remove();
    box.prepend(...earlier);
    moves.scrollTop = moves.scrollHeight - below;
    if (hadFocus) moves.focus({ preventScroll: true });
    this.onShown();
  }
}
