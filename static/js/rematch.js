// The rematch of a finished match: asks whether it is offered or accepted, until it has begun.

import { getFragment } from "./api.js";
import { keepPlace } from "./focus.js";
import { here } from "./here.js";

const MIN_INTERVAL = 5000;
const MAX_INTERVAL = 60000;
const SLOWDOWN = 1.1;

const shown = () => document.getElementById("rematch");

/**
 * Calls `onChange(words)` with what has changed. It asks at once when `stream` has news of a seek of the player; else at
 * growing intervals, and not while the page is hidden.
 */
export class Rematch {
  #timer = 0;
  #interval = MIN_INTERVAL;

  /**
   * @param {EventStream} stream
   * @param {(words: string) => void} onChange
   */
  constructor(stream, onChange) {
    this.onChange = onChange;
    const signal = here();
    stream.addEventListener("seek", () => this.#ask(), { signal });
    document.addEventListener("visibilitychange", () => {
      clearTimeout(this.#timer);
      this.#interval = MIN_INTERVAL;
      if (!document.hidden) this.#ask();
    }, { signal });
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
    this.schedule();
  }

  /** Ask again later, if the page shows a rematch that can still change. */
  schedule() {
    clearTimeout(this.#timer);
    if (!shown()?.dataset.source || document.hidden) return;
    this.#timer = setTimeout(() => this.#ask(), this.#interval);
    this.#interval = Math.min(this.#interval * SLOWDOWN, MAX_INTERVAL);
  }

  async #ask() {
    clearTimeout(this.#timer);
    const source = shown()?.dataset.source;
    if (!source) return;
    const fragment = await getFragment(source).catch(() => "");
    const fresh = new DOMParser().parseFromString(fragment, "text/html").getElementById("rematch");
    const stale = shown();
    if (fresh && stale && fresh.dataset.state !== stale.dataset.state) {
      keepPlace(stale, () => {
        stale.replaceWith(fresh);
        return fresh;
      });
      this.onChange(fresh.querySelector("p")?.textContent ?? "");
    }
    this.schedule();
  }
}
