// Asks the server whether a match has changed: often while the opponent is awaited, seldom when nobody looks.

const WAITING = 1500;
const ACTING = 8000;
const UNSEEN = 15000;
const IDLE_AFTER = 5 * 60 * 1000;

/**
 * Polls `url` with its entity tag. `onChange` gets the new JSON and how far the server's clock is ahead of this one
 * (milliseconds); `waiting()` says whether the opponent is to move, `over()` when to stop for good.
 */
export class Live {
  #timer = 0;
  #tag = "";
  #lastSign = Date.now();

  constructor({ url, onChange, waiting, over }) {
    Object.assign(this, { url, onChange, waiting, over });
    for (const sign of ["pointerdown", "keydown"]) {
      addEventListener(sign, () => (this.#lastSign = Date.now()), { passive: true });
    }
    document.addEventListener("visibilitychange", () => document.hidden || this.ask());
    this.#plan();
  }

  /** Ask now (after `delay` milliseconds), then go on at the usual pace. */
  ask(delay = 0) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#poll(), delay);
  }

  #plan() {
    if (this.over()) return;
    const unseen = document.hidden || Date.now() - this.#lastSign > IDLE_AFTER;
    this.ask(unseen ? UNSEEN : this.waiting() ? WAITING : ACTING);
  }

  async #poll() {
    if (this.over()) return;
    try {
      const response = await this.#fetch();
      if (!response?.ok) return;
      const date = Date.parse(response.headers.get("Date") ?? "");
      await this.onChange(await response.json(), Number.isNaN(date) ? null : date - Date.now());
      this.#tag = response.headers.get("ETag") ?? "";
    } finally {
      this.#plan();
    }
  }

  /** The answer, or null while the server cannot be reached: the next round asks again. */
  async #fetch() {
    const headers = { Accept: "application/json" };
    if (this.#tag) headers["If-None-Match"] = this.#tag;
    try {
      return await fetch(this.url, { headers, cache: "no-store" });
    } catch {
      return null;
    }
  }
}
