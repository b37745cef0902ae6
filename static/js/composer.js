// The composer of a turn: it collects taps on the board until there are actions that one button can play.

import { get } from "./api.js";
import { Turn } from "./turn.js";

/** @typedef {{turn: Turn, drawing: Drawing, task: string, side: Side | null, place: PlacingStage | null}} ComposedStage */

/** How many steps a choice may take back on a board where lines are drawn, and each tap goes on from the last one. */
const MAX_STEPS_BACK = 1;

/**
 * A turn may be several actions (a set-up is five). `placing` says from the beginning how a turn goes on that puts figures
 * on the board. After any other complete action the server is asked to look ahead: it answers with the drawing after the
 * action, its trail, and the steps of the next action if the same side goes on, or where a line of both sides is tried, the other. Steps that were left out of a large tree
 * are fetched when they are needed, and choices wait for them meanwhile.
 * `onChange()` is called when something has changed, `onRefusal(error)` when the server refuses to look ahead.
 */
export class Composer {
  /** @type {import("./board.js").Board} */ board;
  /** @type {Side | null} */ side;
  /** @type {Urls} */ urls;
  /** @type {() => void} */ onChange;
  /** @type {(error: unknown) => void} */ onRefusal;

  /** @type {ComposedStage[]} */ #stages = [];
  /** @type {string[]} */ #actions = [];
  #complete = false;
  /** @type {Promise<unknown>} */ #chosen = Promise.resolve();
  /** @type {Placing | null} */ #placing = null;
  #held = false;

  /** @param {Pick<Composer, "board" | "side" | "urls" | "onChange" | "onRefusal">} parts */
  constructor({ board, side, urls, onChange, onRefusal }) {
    Object.assign(this, { board, side, urls, onChange, onRefusal });
  }

  /**
   * Start a turn on a `drawing`: `steps` is the tree of its first action, `placing` how the whole turn can go, if known.
   *
   * @param {MatchNow} now
   */
  begin({ steps, placing, drawing, match: { task } }) {
    this.stop();
    this.#placing = placing;
    const turn = this.#turnOf(steps);
    this.#stages = [{ turn, drawing, task, side: this.side, place: placing?.stages[0] ?? null }];
    this.#mark();
  }

  /** Let nothing be chosen until the next `begin`. */
  stop() {
    this.#stages = [];
    this.#forget();
    this.board.mark();
  }

  /** Let nothing be chosen or taken back until `release()`, while the turn is being sent. */
  hold() {
    this.#held = true;
    this.#mark();
  }

  /** Let spaces be chosen again. */
  release() {
    this.#held = false;
    this.#mark();
  }

  /** The actions to be played, once they are complete; else null. */
  get ready() {
    return this.#complete ? this.#actions : null;
  }

  /** What is complete so far: each action, and the side whose it is. */
  get played() {
    return this.#stages.flatMap(({ turn, side }) => (turn.move === null ? [] : [{ text: turn.move, side }]));
  }

  /** The side whose action is being composed. */
  get acting() {
    return this.#stage?.side ?? this.side;
  }

  /** The steps that have no space to be chosen, while they can be played. */
  get choices() {
    return this.#complete || this.#held ? [] : (this.#turn?.starts.filter((step) => !step.space) ?? []);
  }

  /**
   * Return the actions to be played with one more, which has no space.
   *
   * @param {string} text
   */
  with(text) {
    return [...this.#stages.slice(0, -1).flatMap((stage) => stage.turn.move ?? []), text];
  }

  /** Whether there is anything to take back. */
  get begun() {
    return this.#stages.length > 1 || Boolean(this.#turn?.last);
  }

  /**
   * What to do next: the server's sentence as `task`, or the `key` of one of the page's texts.
   *
   * @returns {Guidance}
   */
  get guidance() {
    if (!this.#stage) return {};
    const { turn, task, drawing } = this.#stage;
    if (!turn.last) return { task };
    if (this.#complete) return { key: "confirm" };
    if (this.board.drawsLines) return { key: "on" };
    if (turn.last.space === drawing.ball) return { key: "fromBall" };
    return { key: turn.options.some((step) => step.space === drawing.ball) ? "toBall" : "on" };
  }

  /** The player's first figure that is not on the board yet, or null. */
  get next() {
    return this.#waiting?.figure ?? null;
  }

  /**
   * Choose a space. Return false if it leads nowhere; that takes back a half-made choice, but no lines.
   *
   * @param {string} space
   */
  async choose(space) {
    const stages = this.#stages;
    const chosen = this.#chosen.then(() => stages !== this.#stages || this.#choose(space));
    this.#chosen = chosen.catch(() => {});
    const known = await chosen;
    if (stages === this.#stages && this.#turn?.move && !this.#complete) await this.#lookAhead(this.#turn);
    return known;
  }

  /** Take back the last tap, or the last complete action. */
  undo() {
    if (!this.begun || this.#held) return;
    if (!this.#turn?.undo()) {
      this.#stages.pop();
      this.#turn?.clear();
    }
    this.#show();
  }

  /** @param {string} space */
  async #choose(space) {
    const stage = this.#stage;
    if (!stage || this.#held || (this.#complete && !stage.turn.last)) return true;
    const { turn } = stage;
    const known = turn.choose(space);
    if (!known && !this.board.drawsLines) turn.clear();
    this.#show();
    if (turn.unknown !== null) await this.#ask(turn, turn.unknown);
    else if (turn.last?.final) this.#place(stage, turn.last.space);
    return known;
  }

  /** @param {Tree} tree */
  #turnOf(tree) {
    return new Turn(tree, this.board.same, this.board.drawsLines ? MAX_STEPS_BACK : Infinity);
  }

  get #stage() {
    return this.#stages.at(-1) ?? null;
  }

  get #turn() {
    return this.#stage?.turn ?? null;
  }

  get #waiting() {
    const waiting = this.#complete ? [] : (this.#stage?.drawing.waiting ?? []);
    return waiting.find((each) => each.side === this.acting) ?? null;
  }

  /** The actions that are complete so far. */
  get #moves() {
    return this.played.map(({ text }) => text);
  }

  #forget() {
    this.#actions = [];
    this.#complete = false;
  }

  #show() {
    this.#forget();
    if (this.#stage) this.board.draw(this.#stage.drawing);
    this.board.trail(null);
    this.board.markLast(null);
    this.#mark();
    this.onChange();
  }

  /**
   * Put the player's next figure on the chosen space, and go on with the figure after it, if there is one. In a turn that
   * puts no figures on the board nothing happens.
   *
   * @param {ComposedStage} stage
   * @param {string} space
   */
  #place({ drawing, place }, space) {
    if (!place || !this.#placing || !this.#waiting) return;
    const { groups, stages } = this.#placing;
    const { figure, label } = this.#waiting;
    const placed = {
      ...drawing,
      figures: { ...drawing.figures, [figure]: space },
      labels: { ...drawing.labels, [space]: label },
      waiting: drawing.waiting.filter((each) => each.figure !== figure),
    };
    const next = place.then[groups.findIndex((steps) => steps.some((step) => step.space === space))];
    this.board.draw(placed);
    if (next === null) {
      this.#actions = this.#moves;
      this.#complete = true;
    } else {
      const taken = new Set(Object.values(placed.figures));
      const steps = Object.keys(stages[next].then).flatMap((group) => groups[Number(group)]).filter((step) => !taken.has(step.space));
      this.#stages.push({ turn: this.#turnOf({ "": steps }), drawing: placed, task: stages[next].task, side: this.side, place: stages[next] });
    }
    this.#mark();
    this.onChange();
  }

  /**
   * @param {Turn} turn
   * @param {string} text
   */
  async #ask(turn, text) {
    const query = new URLSearchParams([...this.#moves.map((action) => ["text", action]), ["prefix", text]]);
    try {
      const { steps } = await get(`${this.urls.ahead}?${query}`);
      turn.grow(text, steps[text] ?? []);
    } catch (error) {
      this.onRefusal(error);
      return;
    }
    if (turn !== this.#turn || turn.last?.text !== text) return;
    this.#mark();
    this.onChange();
  }

  /** @param {Turn} turn */
  async #lookAhead(turn) {
    const actions = this.#moves;
    const query = new URLSearchParams(actions.map((text) => ["text", text]));
    let ahead;
    try {
      ahead = await get(`${this.urls.ahead}?${query}`);
    } catch (error) {
      this.onRefusal(error);
      return;
    }
    if (turn !== this.#turn || turn.move !== actions.at(-1)) return;
    if (Object.keys(ahead.steps).length) {
      const side = ahead.turn ?? this.side;
      this.#stages.push({ turn: this.#turnOf(ahead.steps), drawing: ahead.drawing, task: ahead.task, side, place: null });
      this.board.draw(ahead.drawing);
    } else {
      this.#actions = actions;
      this.#complete = true;
      if (ahead.trail?.lines.length) this.board.trail(ahead.trail);
      else this.board.draw(ahead.drawing);
    }
    this.#mark();
    this.onChange();
  }

  #mark() {
    if (!this.#stage) return;
    const { turn, drawing } = this.#stage;
    if (this.#held) {
      this.board.mark({ chosen: turn.path.map((step) => step.space), decided: true });
      return;
    }
    const names = turn.options.map((step) => step.space).filter(Boolean);
    const selecting = !this.board.drawsLines && !turn.last && turn.starts.every((step) => !step.final || !step.space);
    if (this.acting) this.board.sketch(this.acting, turn.path.map((step) => step.space));
    this.board.mark({
      starts: selecting ? names : [],
      reach: selecting ? [] : names,
      onward: turn.options.filter((step) => step.space && !step.final).map((step) => step.space),
      chosen: turn.path.map((step) => step.space),
      target: drawing.ball,
      decided: this.#complete,
    });
  }
}
