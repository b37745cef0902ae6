// The rematch of a finished match: asks now and then how it stands, until there is one.

import { getFragment } from "./api.js";
import { keepPlace } from "./focus.js";

const SOON = 5000;
const LATE = 60000;
const SLOWER = 1.1;

const shown = () => document.getElementById("rematch");

/**
 * `onChange(words)` is told what has become of it. It asks at once when `stream` tells of a seek of the player's; else less
 * and less often, and not while nobody looks.
 */
export class Rematch {
  #timer = 0;
  #pace = SOON;

  constructor(stream, onChange) {
    this.onChange = onChange;
    stream.addEventListener("seek", () => this.#ask());
    document.addEventListener("visibilitychange", () => {
      clearTimeout(this.#timer);
      this.#pace = SOON;
      if (!document.hidden) this.#ask();
    });
    this.follow();
  }

  /** Follow what the page shows, if it shows anything of which there may be news. */
  follow() {
    clearTimeout(this.#timer);
    if (!shown()?.dataset.source || document.hidden) return;
    this.#timer = setTimeout(() => this.#ask(), this.#pace);
    this.#pace = Math.min(this.#pace * SLOWER, LATE);
  }

  async #ask() {
    clearTimeout(this.#timer);
    const source = shown()?.dataset.source;
    if (!source) return;
    const fragment = await getFragment(source).catch(() => "");
    const fresh = new DOMParser().parseFromString(fragment, "text/html").getElementById("rematch");
    if (fresh && shown() && fresh.dataset.state !== shown().dataset.state) {
      const stale = shown();
      keepPlace(stale, () => {
        stale.replaceWith(fresh);
        return fresh;
      });
      this.onChange(fresh.querySelector("p")?.textContent ?? "");
    }
    this.follow();
  }
}
