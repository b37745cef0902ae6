// The two clocks of a match, which run on from the server's last values.

import { here } from "./here.js";
import { dataOf, find } from "./page.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** @param {number} number */
const two = (number) => String(number).padStart(2, "0");

/**
 * Return time left in its two largest units, as `format_time_left` in matches/sentences.py; `texts` abbreviates them.
 *
 * @param {number} left
 * @param {Units} texts
 */
export const formatTime = (left, texts) => {
  const time = Math.max(0, left);
  if (time >= DAY) return `${Math.floor(time / DAY)} ${texts.d} ${two(Math.floor((time % DAY) / HOUR))} ${texts.h}`;
  if (time >= HOUR) return `${Math.floor(time / HOUR)} ${texts.h} ${two(Math.floor((time % HOUR) / MINUTE))} ${texts.min}`;
  const seconds = Math.ceil(time / SECOND);
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
};

/** Shows `match.clocks` in the strips, the acting side's running down. */
export class Clocks {
  /** @type {Match | null} */ #match = null;
  #ahead = 0;

  /**
   * @param {HTMLElement[]} strips
   * @param {Units} texts
   */
  constructor(strips, texts) {
    this.strips = strips;
    this.texts = texts;
    const timer = setInterval(() => this.draw(), 500);
    here().addEventListener("abort", () => clearInterval(timer));
  }

  /**
   * Show the clocks of `match`; `ahead` is how far the server's clock is ahead of this one, if known.
   *
   * @param {Match} match
   * @param {number | null} ahead
   */
  set(match, ahead = null) {
    this.#match = match;
    if (ahead !== null && Math.abs(ahead - this.#ahead) > 2 * SECOND) this.#ahead = ahead;
    this.draw();
  }

  /**
   * Return the moment to which the clock has run: now, or when it stopped.
   *
   * @param {Match} match
   */
  #now(match) {
    return match.paused_at ? Date.parse(match.paused_at) : Date.now() + this.#ahead;
  }

  draw() {
    const match = this.#match;
    if (!match) return;
    for (const strip of this.strips) {
      const side = /** @type {Side} */ (dataOf(strip, "side"));
      let left = match.clocks[side].bank * SECOND;
      if (match.turn === side) left -= Math.max(0, this.#now(match) - Date.parse(match.turn_started_at));
      const clock = find(strip, "[data-clock]", HTMLElement);
      const text = formatTime(left, this.texts);
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("low", match.turn === side && left < Math.max(MINUTE, 0.1 * match.time_control.cap * SECOND));
    }
  }
}
