// What the players of a match offer each other: fetched anew when an offer is made or gone, and when its buttons are opened.

import { FetchedPart } from "./fetched-part.js";
import { here } from "./here.js";

const part = new FetchedPart("offers");

export class Offers {
  #standing;
  #isStale = false;

  /**
   * `onChange(words)` is called with what is offered.
   *
   * @param {Match} match
   * @param {(words: string) => void} onChange
   */
  constructor({ offer }, onChange) {
    this.onChange = onChange;
    this.#standing = JSON.stringify(offer);
    document.addEventListener("toggle", ({ target }) => {
      if (this.#isStale && target instanceof HTMLDetailsElement && target.open && part.shown?.contains(target)) this.#refresh();
    }, { capture: true, signal: here() });
  }

  /**
   * Show what stands after news of the match. What else can be offered may have changed with every move.
   *
   * @param {Standing} news
   */
  async follow({ offer }) {
    this.#isStale = true;
    const standing = JSON.stringify(offer);
    if (standing === this.#standing) return;
    this.#standing = standing;
    await this.#refresh();
    if (offer) this.onChange(part.shown?.querySelector(".notice")?.textContent?.trim() ?? "");
  }

  async #refresh() {
    if (await part.refresh()) this.#isStale = false;
  }
}
