// Follows a match: by the browser's event stream where there is one, else by asking whether it has changed, often while
// the opponent is awaited, seldom when nobody looks.

const WAITING = 1500;
const ACTING = 8000;
const UNSEEN = 15000;
const STREAMING = 60000;
const ECHO = 300;
const IDLE_AFTER = 5 * 60 * 1000;

/**
 * Asks for `url` with its entity tag, at once when `stream` says that `match` has changed.
 * `onChange` gets the new JSON and how far the server's clock is ahead of this one (milliseconds), and gets it again soon
 * if it throws; `waiting()` says whether the opponent is to move, `over()` when to stop for good.
 */
export class Live {
  #timer = 0;
  #tag = "";
  #lastSign = Date.now();
  #streaming = false;
  #rung = false;
  #failed = false;
  #behind = false;

  constructor({ url, stream, match, onChange, waiting, over }) {
    Object.assign(this, { url, onChange, waiting, over });
    for (const sign of ["pointerdown", "keydown"]) {
      addEventListener(sign, () => (this.#lastSign = Date.now()), { passive: true });
    }
    document.addEventListener("visibilitychange", () => document.hidden || this.ask());
    stream.addEventListener("streaming", ({ detail }) => this.#isStreaming(detail));
    stream.addEventListener("anew", () => this.#hear());
    stream.addEventListener("match", ({ detail }) => detail.match === match && this.#hear());
    this.#plan();
  }

  /** Ask now (after `delay` milliseconds), then go on at the usual pace. */
  ask(delay = 0) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#poll(), delay);
  }

  #hear() {
    this.#rung = true;
    // What the player does himself is answered anyway.
    this.ask(this.waiting() ? 0 : ECHO);
  }

  #isStreaming(streaming) {
    if (streaming === this.#streaming) return;
    this.#streaming = streaming;
    // What happened before there was a stream is not told by it.
    if (streaming) this.#rung = true;
    this.#plan();
  }

  #plan() {
    if (this.over()) return;
    this.ask(this.#rung ? 0 : this.#pace());
  }

  #pace() {
    if (this.#streaming && !this.#failed && !this.#behind) return STREAMING;
    if (document.hidden) return UNSEEN;
    if (Date.now() - this.#lastSign > IDLE_AFTER) return UNSEEN;
    return this.#behind || this.waiting() ? WAITING : ACTING;
  }

  async #poll() {
    if (this.over()) return;
    this.#rung = false;
    try {
      const response = await this.#fetch();
      this.#failed = !response || response.status >= 400;
      if (!response?.ok) return;
      const date = Date.parse(response.headers.get("Date") ?? "");
      this.#behind = true;
      await this.onChange(await response.json(), Number.isNaN(date) ? null : date - Date.now());
      this.#behind = false;
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
