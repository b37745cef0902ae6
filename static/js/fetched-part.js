// A part of a page that is fetched alone, from its `data-source`.

import { getFragment } from "./api.js";
import { keepPlace } from "./focus.js";

export class FetchedPart {
  #id;
  #asked = 0;

  /** @param {string} id */
  constructor(id) {
    this.#id = id;
  }

  /** The part as it is shown, if it is. */
  get shown() {
    return document.getElementById(this.#id);
  }

  /** Show the part as the server has it now. Return whether it is shown so: not if it has been asked for again meanwhile. */
  async refresh() {
    const source = this.shown?.dataset.source;
    if (!source) return false;
    const asked = ++this.#asked;
    const fragment = await getFragment(source).catch(() => null);
    const stale = this.shown;
    // Of several answers that to the latest question counts.
    if (fragment === null || !stale || asked !== this.#asked) return false;
    const fresh = new DOMParser().parseFromString(fragment, "text/html").getElementById(this.#id);
    if (!fresh) {
      stale.remove();
      return true;
    }
    if (stale instanceof HTMLDetailsElement && stale.open) fresh.toggleAttribute("open", true);
    keepPlace(stale, () => {
      stale.replaceWith(fresh);
      return fresh;
    });
    return true;
  }
}
