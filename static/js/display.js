// Shows a match page's state: on the board, beside it and in its panels. Whoever changes the state has it shown here.

import { keepPlace } from "./focus.js";
import { write } from "./panel.js";
import { markEntry } from "./review.js";
import { putInWords } from "./words.js";

const LOOK = 1200;

const byId = (id) => document.getElementById(id);

export class Display {
  #past = false;

  /** `onPanels()` is called when the panels of a match were exchanged. */
  constructor({ state, board, panel, composer, review, positions, strips, texts, onPanels }) {
    Object.assign(this, { state, board, panel, composer, review, positions, strips, texts, onPanels });
  }

  /** Whose turn it is, and what has been put together of it. */
  showTurn() {
    const { match, mine, sending } = this.state;
    const { guidance, next, ready, begun } = this.composer;
    const past = this.review.active;
    this.#keepFocus(() => this.panel.show({ match, mine, past, guidance, next, ready, begun, busy: sending }));
  }

  /** The position now, in which a turn can begin. */
  async showNow() {
    this.#keepFocus(() => { byId("review").hidden = true; });
    const { match } = this.state;
    markEntry(match.ply);
    this.#showScore(match.score);
    // A turn can begin before the last move's route has come, or without it.
    this.board.draw(match.picture);
    putInWords(this.board, this.texts.board, match);
    if (this.#past) this.#showRoute({ route: null });
    this.#past = false;
    if (this.state.mine) this.composer.begin(this.state);
    this.showTurn();
    const last = await this.positions.lastOf(match).catch(() => null);
    if (this.review.active || this.state.match !== match || this.composer.begun) return;
    this.#showRoute({ route: null, ...last });
  }

  /** A position that was, with what led to it. */
  showPast(position) {
    this.composer.stop();
    this.#past = true;
    this.#showEvent(position);
    this.#showScore(position.score);
    byId("review").hidden = false;
    this.showReviewed();
    this.showTurn();
    this.panel.say([position.stage, position.sentence].filter(Boolean).join(". "));
  }

  /** Which position is looked at. */
  showReviewed() {
    markEntry(this.review.ply);
    byId("review-text").textContent = write(this.texts.review, { ply: this.review.ply, total: this.state.match.ply });
  }

  /** Put in the panels as the server has written them. */
  showPanels(fragment) {
    const box = byId("panels");
    if (!keepPlace(box, () => { box.innerHTML = fragment; })) this.board.focus();
    this.onPanels();
  }

  /** Show events, each with its animation; returns them in words. */
  async replay(events) {
    const words = [];
    for (const position of events) {
      if (!position.route) continue;
      this.board.trail(null);
      this.board.markLast(null);
      await this.board.animate(position.route);
      this.#showEvent(position);
      this.#showScore(position.score);
      if (position.wiped) await new Promise((done) => setTimeout(done, LOOK));
      words.push(position.sentence);
    }
    return words;
  }

  #showEvent(position) {
    this.board.draw(position.picture);
    putInWords(this.board, this.texts.board, position);
    this.#showRoute(position);
  }

  #showRoute({ actor, route }) {
    this.board.trail(route, actor);
    this.board.markLast(route);
  }

  #showScore(score) {
    for (const strip of this.strips) {
      const goals = strip.querySelector("[data-goals]");
      const more = score[strip.dataset.side] > Number(goals.textContent);
      strip.querySelector("[data-score]").classList.toggle("scored", more && !this.review.active);
      goals.textContent = score[strip.dataset.side];
      strip.classList.toggle("to-act", this.state.match.turn === strip.dataset.side);
    }
  }

  /** If `change()` hides what has the focus, the board has it from then on. */
  #keepFocus(change) {
    const focused = document.activeElement;
    change();
    if (focused?.closest("[hidden]")) this.board.focus();
  }
}
