// The review of a match: steps through its positions by buttons, keys and a slider.

import { here } from "./here.js";
import { byId, dataOf, find, findAll, findAround } from "./page.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/**
 * `load(ply)` fetches a position, `show(position, ply)` shows an earlier one, `leave()` the present one. `onRefusal(error)`
 * is called if one cannot be loaded: then nothing changes. `hasUrls` says whether each position has a URL of its own.
 */
export class Review {
  /** @type {HTMLElement} */ root;
  /** @type {(ply: number) => any} */ load;
  /** @type {(position: any, ply: number) => void} */ show;
  /** @type {() => void} */ leave;
  /** @type {(error: unknown) => void} */ onRefusal;
  /** @type {boolean} */ hasUrls;

  #wanted = 0;

  /**
   * @param {{root: HTMLElement, load: (ply: number) => any, total: number, shown: number,
   *   show: (position: any, ply: number) => void, leave: () => void, onRefusal?: (error: unknown) => void, hasUrls?: boolean}} parts
   */
  constructor({ root, load, total, shown, show, leave, onRefusal = rethrow, hasUrls = true }) {
    Object.assign(this, { root, load, show, leave, onRefusal, hasUrls });
    this.total = total;
    this.ply = shown;
    this.slider = find(root, "#ply", HTMLInputElement);
    /** @type {Record<string, () => number>} */
    const targets = { first: () => 0, back: () => this.ply - 1, forward: () => this.ply + 1, last: () => this.total };
    for (const button of findAll(root, "[data-go]", HTMLElement)) {
      button.addEventListener("click", () => this.#step(targets[dataOf(button, "go")]()));
    }
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    document.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (findAround(event, "input, select, textarea, .board", Element)) return;
      const step = STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      this.#step(this.ply + step);
    }, { signal: here() });
    this.#settle();
  }

  get active() {
    return this.ply < this.total;
  }

  /**
   * Go on to the last of `total` moves, unless an earlier position is being reviewed.
   *
   * @param {number} total
   */
  grow(total) {
    if (!this.active) this.ply = total;
    this.total = total;
    this.#settle();
  }

  /** @param {number} ply */
  async go(ply) {
    const wanted = Math.min(Math.max(ply, 0), this.total);
    this.#wanted = wanted;
    if (wanted === this.total) {
      this.ply = wanted;
      this.#settle();
      this.leave();
      return;
    }
    let position;
    try {
      position = await this.load(wanted);
    } catch (error) {
      if (this.#wanted !== wanted) return;
      this.#settle();
      this.onRefusal(error);
      return;
    }
    if (this.#wanted !== wanted) return;
    this.ply = wanted;
    this.#settle();
    this.show(position, wanted);
  }

  /**
   * Go to another position, if there is one: at either end nothing changes.
   *
   * @param {number} ply
   */
  #step(ply) {
    if (ply !== this.ply && ply >= 0 && ply <= this.total) this.go(ply);
  }

  #settle() {
    this.slider.max = String(this.total);
    this.slider.value = String(this.ply);
    for (const button of findAll(this.root, "[data-go]", HTMLElement)) {
      const back = button.dataset.go === "first" || button.dataset.go === "back";
      button.setAttribute("aria-disabled", String(back ? this.ply === 0 : this.ply === this.total));
    }
    if (!this.hasUrls) return;
    const url = new URL(location.href);
    if (this.active) url.searchParams.set("ply", String(this.ply));
    else url.searchParams.delete("ply");
    history.replaceState(null, "", url);
  }
}

/** @type {(error: unknown) => void} */
const rethrow = (error) => {
  throw error;
};

/**
 * Mark the entry in the list of moves that led to a position, and scroll it into view.
 *
 * @param {number} ply
 */
export function markEntry(ply) {
  const entries = findAll(document, "#moves [data-ply]", HTMLElement);
  /** @param {HTMLElement} entry */
  const plyOf = (entry) => Number(dataOf(entry, "ply"));
  const last = Math.max(...entries.map(plyOf).filter((each) => each <= ply));
  const current = entries.findLast((entry) => plyOf(entry) === last);
  for (const entry of entries) {
    if (entry === current) entry.setAttribute("aria-current", "step");
    else entry.removeAttribute("aria-current");
  }
  if (!current) return;
  const box = byId("moves");
  const [outer, inner] = [box.getBoundingClientRect(), current.getBoundingClientRect()];
  if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + 8;
  if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top + 8;
}
