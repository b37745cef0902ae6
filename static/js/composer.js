// Putting a turn together on the board: from the first tap to the actions that one button will play.

import { get } from "./api.js";
import { Turn } from "./turn.js";

/** How many steps a choice may take back on a board with ink, where one tap goes on from where the last one led. */
const ONE = 1;

/**
 * A turn may be several actions (a set-up is five). Each action that is complete is looked ahead by the server, which
 * answers with the picture after it, the route, and the steps of the next action if the same coach goes on. Steps that
 * were left out of a large tree are asked for when they are needed.
 * `onChange()` is called when something is to be drawn anew, `onRefusal(error)` when the server refuses to look ahead.
 */
export class Composer {
  #stages = [];
  #actions = [];
  #route = null;
  #complete = false;
  #asking = false;

  constructor({ board, side, addresses, onChange, onRefusal }) {
    Object.assign(this, { board, side, addresses, onChange, onRefusal });
  }

  /** Start a turn in the position of `picture`; `tree` are the steps of its first action. */
  begin(tree, picture, task) {
    this.stop();
    this.#stages = [{ turn: this.#turnOf(tree), picture, task }];
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
    const turn = this.#turn;
    if (!turn || this.#asking || (this.#complete && !turn.last)) return true;
    const known = turn.choose(space);
    if (!known && !this.board.inked) turn.clear();
    this.#show();
    if (turn.unknown !== null) await this.#ask(turn);
    else if (turn.move) await this.#lookAhead(turn);
    return known;
  }

  /** Take back the last tap, or the last action that was put down. */
  undo() {
    if (!this.begun) return;
    if (!this.#turn.undo()) {
      this.#stages.pop();
      this.#turn.clear();
    }
    this.#show();
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

  async #ask(turn) {
    const text = turn.unknown;
    this.#asking = true;
    try {
      const { steps } = await get(`${this.addresses.steps}?${new URLSearchParams({ prefix: text })}`);
      turn.grow(text, steps);
    } catch (error) {
      this.onRefusal(error);
      return;
    } finally {
      this.#asking = false;
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
      ahead = await get(`${this.addresses.ahead}?${query}`);
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
