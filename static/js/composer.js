// The composer of a turn: it collects taps on the board until there are actions that one button can play.

import { get } from "./api.js";
import { Turn } from "./turn.js";

/** How many steps a choice may take back on a board with ink, where one tap goes on from where the last one led. */
const ONE = 1;

/**
 * A turn may be several actions (a set-up is five). How a turn goes on that puts figures on the board is known from the
 * beginning, by `placing`. Any other action that is complete is looked ahead by the server, which answers with the picture
 * after it, the route, and the steps of the next action if the same coach goes on. Steps that were left out of a large tree
 * are asked for when they are needed, and what is chosen meanwhile waits for them.
 * `onChange()` is called when something is to be drawn anew, `onRefusal(error)` when the server refuses to look ahead.
 */
export class Composer {
  #stages = [];
  #actions = [];
  #route = null;
  #complete = false;
  #chosen = Promise.resolve();
  #placing = null;
  #held = false;

  constructor({ board, side, urls, onChange, onRefusal }) {
    Object.assign(this, { board, side, urls, onChange, onRefusal });
  }

  /** Start a turn of a match: `steps` is the tree of its first action, `placing` how the whole turn can go, if it is known. */
  begin({ steps, placing, match: { picture, task } }) {
    this.stop();
    this.#placing = placing;
    this.#stages = [{ turn: this.#turnOf(steps), picture, task, place: 0 }];
    const [only, ...others] = this.#turn.starts;
    if (only && !only.space && only.final && !others.length) {
      this.#actions = [only.text];
      this.#complete = true;
    }
    this.#mark();
  }

  /** Nothing can be chosen until the next `begin`. */
  stop() {
    this.#stages = [];
    this.#forget();
    this.board.mark();
  }

  /** Let nothing be chosen or taken back until `release()`: what was put together is being sent. */
  hold() {
    this.#held = true;
    if (this.#turn) this.#mark();
  }

  /** Let it be chosen again. */
  release() {
    this.#held = false;
    if (this.#turn) this.#mark();
  }

  /** The actions to be played, once they are complete; else null. */
  get ready() {
    return this.#complete ? this.#actions : null;
  }

  /** Whether there is anything to take back. */
  get begun() {
    return this.#stages.length > 1 || Boolean(this.#turn?.last);
  }

  /** What to do next: the server's sentence, or the key of one of the page's own. */
  get guidance() {
    if (!this.#turn) return {};
    if (this.#complete && this.#turn.last) return { key: "confirm" };
    const { task, picture } = this.#stages.at(-1);
    if (!this.#turn.last) return { task };
    if (this.board.inked) return { key: "on" };
    if (this.#turn.last.space === picture.ball) return { key: "kick" };
    return { key: this.#turn.options.some((step) => step.space === picture.ball) ? "walkOrBall" : "walk" };
  }

  /** The coach's first figure that is not on the board yet, or null. */
  get next() {
    const figures = this.#complete ? [] : (this.#stages.at(-1)?.picture.figures ?? []);
    return figures.find((figure) => figure.side === this.side && !figure.space) ?? null;
  }

  /** Choose a space. False if it leads nowhere, which takes a half-made choice back, but no lines. */
  async choose(space) {
    const stages = this.#stages;
    const chosen = this.#chosen.then(() => stages !== this.#stages || this.#choose(space));
    this.#chosen = chosen.catch(() => {});
    const known = await chosen;
    if (stages === this.#stages && this.#turn?.move && !this.#complete) await this.#lookAhead(this.#turn);
    return known;
  }

  /** Take back the last tap, or the last action that was put down. */
  undo() {
    if (!this.begun || this.#held) return;
    if (!this.#turn.undo()) {
      this.#stages.pop();
      this.#turn.clear();
    }
    this.#show();
  }

  async #choose(space) {
    const turn = this.#turn;
    if (!turn || this.#held || (this.#complete && !turn.last)) return true;
    const known = turn.choose(space);
    if (!known && !this.board.inked) turn.clear();
    this.#show();
    if (turn.unknown !== null) await this.#ask(turn);
    else if (turn.move && this.#placing) this.#place(turn);
    return known;
  }

  #turnOf(tree) {
    return new Turn(tree, this.board.same, this.board.inked ? ONE : Infinity);
  }

  get #turn() {
    return this.#stages.at(-1)?.turn ?? null;
  }

  #forget() {
    this.#actions = [];
    this.#route = null;
    this.#complete = false;
  }

  #show() {
    this.#forget();
    this.board.draw(this.#stages.at(-1).picture);
    this.board.trail(null);
    this.board.markLast(null);
    this.#mark();
    this.onChange();
  }

  /** The coach's next figure stands on the space that was chosen: go on with the one after it, if there is one. */
  #place(turn) {
    const { picture, place } = this.#stages.at(-1);
    const { groups, stages } = this.#placing;
    const { space } = turn.last;
    const { number } = this.next;
    const figures = picture.figures.map((each) => (each.side === this.side && each.number === number ? { ...each, space } : each));
    const placed = { ...picture, figures };
    const next = stages[place].then[groups.findIndex((steps) => steps.some((step) => step.space === space))];
    this.board.draw(placed);
    if (next === null) {
      this.#actions = this.#stages.map((stage) => stage.turn.move);
      this.#complete = true;
    } else {
      const taken = new Set(figures.map((figure) => figure.space));
      const steps = Object.keys(stages[next].then).flatMap((group) => groups[group]).filter((step) => !taken.has(step.space));
      this.#stages.push({ turn: this.#turnOf({ "": steps }), picture: placed, task: stages[next].task, place: next });
    }
    this.#mark();
    this.onChange();
  }

  async #ask(turn) {
    const text = turn.unknown;
    try {
      const { steps } = await get(`${this.urls.steps}?${new URLSearchParams({ prefix: text })}`);
      turn.grow(text, steps);
    } catch (error) {
      this.onRefusal(error);
      return;
    }
    if (turn !== this.#turn || turn.last?.text !== text) return;
    this.#mark();
    this.onChange();
  }

  async #lookAhead(turn) {
    const actions = this.#stages.map((stage) => stage.turn.move);
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
      this.#stages.push({ turn: this.#turnOf(ahead.steps), picture: ahead.picture, task: ahead.task });
      this.board.draw(ahead.picture);
    } else {
      this.#actions = actions;
      this.#complete = true;
      this.#route = ahead.route;
      if (this.#moves) this.board.trail(ahead.route, this.side);
      else this.board.draw(ahead.picture);
    }
    this.#mark();
    this.onChange();
  }

  get #moves() {
    return this.#route.walk.length > 0 || this.#route.kick.length > 0;
  }

  #mark() {
    const turn = this.#turn;
    const { picture } = this.#stages.at(-1);
    if (this.#held) {
      this.board.mark({ chosen: turn.path.map((step) => step.space), decided: true });
      return;
    }
    const names = turn.options.map((step) => step.space).filter(Boolean);
    const selecting = !this.board.inked && !turn.last && turn.starts.every((step) => !step.final);
    this.board.sketch(this.side, turn.path.map((step) => step.space));
    this.board.mark({
      starts: selecting ? names : [],
      reach: selecting ? [] : names,
      onward: turn.options.filter((step) => step.space && !step.final).map((step) => step.space),
      chosen: turn.path.map((step) => step.space),
      target: picture.ball,
      decided: this.#complete,
    });
  }
}
