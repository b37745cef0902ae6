// The poller of a match: asks what has happened in the match. It asks at once when the event stream says so, else often while
// the opponent is to move, and rarely when nobody looks.

import { here, whileHere } from "./here.js";

const WAITING_INTERVAL = 1500;
const ACTING_INTERVAL = 8000;
const HIDDEN_INTERVAL = 15000;
const STREAMING_INTERVAL = 60000;
const OWN_MOVE_DELAY = 300;
const IDLE_TIMEOUT = 5 * 60 * 1000;

/**
 * Gets `url()` with its entity tag, at once when `stream` says that `match` has changed.
 * `onChange` receives the new JSON and how far the server's clock is ahead of this one (milliseconds), and receives it again
 * soon if it throws. `waiting()` says whether the opponent is to move, `over()` when to stop for good. A page that only `watches`
 * is sent the same as all others, and asks without cookies as long as that is answered.
 */
export class MatchPoller {
  /** @type {() => string} */ url;
  /** @type {(news: MatchUpdate, ahead: number | null) => Promise<unknown>} */ onChange;
  /** @type {() => boolean} */ waiting;
  /** @type {() => boolean} */ over;
  /** @type {boolean} */ watches;

  #timer = 0;
  #tag = "";
  #lastInput = Date.now();
  #streaming = false;
  #isNotified = false;
  #failed = false;
  #behind = false;

  /**
   * @param {Pick<MatchPoller, "url" | "onChange" | "waiting" | "over" | "watches"> & {stream: EventStream, match: number}} parts
   */
  constructor({ url, stream, match, onChange, waiting, over, watches }) {
    Object.assign(this, { url, onChange, waiting, over, watches });
    const signal = here();
    for (const input of ["pointerdown", "keydown"]) {
      addEventListener(input, () => (this.#lastInput = Date.now()), { passive: true, signal });
    }
    document.addEventListener("visibilitychange", () => document.hidden || this.ask(), { signal });
    stream.addEventListener("streaming", ({ detail }) => this.#isStreaming(detail), { signal });
    stream.addEventListener("anew", () => this.#notify(), { signal });
    stream.addEventListener("match", ({ detail }) => detail.match === match && this.#receive(detail), { signal });
    this.#schedule();
  }

  /** Ask after `delay` milliseconds, then go on at the usual interval. */
  ask(delay = 0) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#poll(), delay);
  }

  /**
   * Take what has happened from the stream's event, if it brings that; else ask.
   *
   * @param {MatchEvent} event
   */
  async #receive({ update, steps, placing }) {
    // The player's own move is answered anyway.
    if (!update || !this.waiting()) {
      this.#notify();
      return;
    }
    try {
      await this.onChange({ ...update, steps, placing }, null);
    } catch {
      this.#notify();
    }
  }

  #notify() {
    this.#isNotified = true;
    // The player's own move is answered anyway.
    this.ask(this.waiting() ? 0 : OWN_MOVE_DELAY);
  }

  /** @param {boolean} streaming */
  #isStreaming(streaming) {
    if (streaming === this.#streaming) return;
    this.#streaming = streaming;
    // A stream does not say what happened before it began.
    if (streaming) this.#isNotified = true;
    this.#schedule();
  }

  #schedule() {
    if (this.over()) return;
    this.ask(this.#isNotified ? 0 : this.#interval());
  }

  #interval() {
    if (this.#streaming && !this.#failed && !this.#behind) return STREAMING_INTERVAL;
    if (document.hidden) return HIDDEN_INTERVAL;
    if (Date.now() - this.#lastInput > IDLE_TIMEOUT) return HIDDEN_INTERVAL;
    return this.#behind || this.waiting() ? WAITING_INTERVAL : ACTING_INTERVAL;
  }

  async #poll() {
    if (this.over()) return;
    this.#isNotified = false;
    try {
      const response = await this.#fetch();
      const isRefused = !response || response.redirected || (response.status >= 400 && response.status < 500);
      // A proxy in front of the site may let in only those who send its own cookie or password.
      if (isRefused) this.watches = false;
      this.#failed = isRefused || response.status >= 500;
      if (isRefused || !response.ok) return;
      const date = Date.parse(response.headers.get("Date") ?? "");
      this.#behind = true;
      await this.onChange(await whileHere(response.json()), Number.isNaN(date) ? null : date - Date.now());
      this.#behind = false;
      this.#tag = response.headers.get("ETag") ?? "";
    } finally {
      this.#schedule();
    }
  }

  /** Return the response, or null if the server cannot be reached. */
  async #fetch() {
    /** @type {Record<string, string>} */
    const headers = { Accept: "application/json" };
    if (this.#tag) headers["If-None-Match"] = this.#tag;
    try {
      const credentials = this.watches ? "omit" : "same-origin";
      return await whileHere(fetch(this.url(), { headers, cache: "no-store", credentials }));
    } catch {
      return null;
    }
  }
}
