// The display of a match page: shows its state on the board, beside it and in its panels.

import { keepPlace } from "./focus.js";
import { pause } from "./here.js";
import { byId, dataOf, find } from "./page.js";
import { fill } from "./panel.js";
import { markEntry } from "./review.js";
import { mergeRows } from "./move-rows.js";
import { showPositionText } from "./position-text.js";

const GOAL_DELAY = 1200;

export class Display {
  /** @type {import("./match-state.js").MatchState} */ state;
  /** @type {import("./board.js").Board} */ board;
  /** @type {import("./panel.js").Panel} */ panel;
  /** @type {import("./composer.js").Composer} */ composer;
  /** @type {import("./review.js").Review} */ review;
  /** @type {import("./lead-on.js").LeadOn | null} */ leadOn;
  /** @type {HTMLElement[]} */ strips;
  /** @type {Texts} */ texts;
  /** @type {() => void} */ onPanels;

  /**
   * `onPanels()` is called when the panels of a match were exchanged.
   *
   * @param {Pick<Display, "state" | "board" | "panel" | "composer" | "review" | "leadOn" | "strips" | "texts" |
   *   "onPanels">} parts
   */
  constructor({ state, board, panel, composer, review, leadOn, strips, texts, onPanels }) {
    Object.assign(this, { state, board, panel, composer, review, leadOn, strips, texts, onPanels });
  }

  /** Show whose turn it is, and what has been composed of it. */
  showTurn() {
    const { match, mine, sending } = this.state;
    const { guidance, next, ready, choices, begun } = this.composer;
    const past = this.review.active;
    const image = next ? this.board.imageOf(next) : null;
    this.#keepFocus(() => {
      this.panel.show({ match, mine, past, guidance, image, ready, choices, begun, busy: sending });
      this.leadOn?.show(mine);
    });
  }

  /** Show the position now, in which a turn can begin. */
  showNow() {
    this.#keepFocus(() => { byId("review").hidden = true; });
    const { match } = this.state;
    markEntry(match.ply);
    this.#showScore(match.score);
    this.board.draw(this.state.drawing);
    showPositionText(this.board, this.texts.board, match);
    if (this.state.mine) this.composer.begin(this.state);
    this.showTurn();
    this.#showTrail(this.state.trail);
  }

  /**
   * Show an earlier position, with the move that led to it.
   *
   * @param {Position} position
   */
  showPast(position) {
    this.composer.stop();
    this.#showPosition(position);
    this.#showScore(position.score);
    byId("review").hidden = false;
    this.showReviewed();
    this.showTurn();
    this.panel.say([position.stage, position.sentence].filter(Boolean).join(". "));
  }

  /** Show which position is being reviewed. */
  showReviewed() {
    markEntry(this.review.ply);
    byId("review-text").textContent = fill(this.texts.review, { ply: this.review.ply, total: this.state.match.ply });
  }

  /**
   * Replace the panels by `fragment`.
   *
   * @param {string} fragment
   */
  showPanels(fragment) {
    const box = byId("panels");
    if (!keepPlace(box, () => { box.innerHTML = fragment; })) this.board.focus();
    this.onPanels();
  }

  /** Whether the page has rows of moves, to which others can be added. */
  get hasRows() {
    return document.querySelector("[data-rows]") !== null;
  }

  /** Whether the page has rows of moves, and no others are before them. */
  get hasAllRows() {
    return this.hasRows && !document.getElementById("earlier");
  }

  /**
   * Show what has come into the rows of the moves, and the rolls that wait for a move.
   *
   * @param {Pick<MatchUpdate, "rows_since" | "rows" | "rolls">} update
   */
  showRows({ rows_since, rows, rolls }) {
    if (rolls === null) return;
    const box = find(document, "[data-rows]", HTMLElement);
    if (rows_since === 0) document.getElementById("earlier")?.remove();
    if (!keepPlace(box, () => mergeRows(box, rows, rows_since))) this.board.focus();
    find(document, "#rolls", HTMLTemplateElement).innerHTML = rolls;
  }

  /**
   * Show positions, each after the animation of the move or the roll that led to it; return those in words.
   *
   * @param {Position[]} positions
   */
  async replay(positions) {
    const words = [];
    for (const position of positions) {
      if (!position.trail && !position.roll) continue;
      this.board.trail(null);
      this.board.markLast(null);
      if (position.trail) await this.board.animate(position.trail);
      if (position.roll) await this.board.showRoll(position.roll, position.sentence);
      this.#showPosition(position);
      this.#showScore(position.score);
      if (position.next) await pause(GOAL_DELAY);
      words.push(position.sentence);
    }
    return words;
  }

  /** @param {Position} position */
  #showPosition(position) {
    this.board.draw(position.drawing);
    showPositionText(this.board, this.texts.board, position);
    this.#showTrail(position.trail);
  }

  /** @param {Trail | null} trail */
  #showTrail(trail) {
    this.board.trail(trail);
    this.board.markLast(trail);
  }

  /** @param {Record<Side, number>} score */
  #showScore(score) {
    for (const strip of this.strips) {
      const side = /** @type {Side} */ (dataOf(strip, "side"));
      const goals = find(strip, "[data-goals]", HTMLElement);
      const more = score[side] > Number(goals.textContent);
      find(strip, "[data-score]", HTMLElement).classList.toggle("scored", more && !this.review.active);
      goals.textContent = String(score[side]);
      strip.classList.toggle("to-act", this.state.match.turn === side);
    }
  }

  /**
   * Give the board the focus if `change()` hides the element that has it.
   *
   * @param {() => void} change
   */
  #keepFocus(change) {
    const focused = document.activeElement;
    change();
    if (focused?.closest("[hidden]")) this.board.focus();
  }
}
