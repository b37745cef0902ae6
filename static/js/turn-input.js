// The input of the player to move: passes chosen spaces to the composer, and sends the turn.

import { Refusal, post } from "./api.js";
import { whileBusy } from "./busy.js";
import { byId, find } from "./page.js";
import { textOf } from "./panel.js";

const OWN_MOVE_DELAY = 400;

export class TurnInput {
  /** @type {import("./match-state.js").MatchState} */ state;
  /** @type {import("./display.js").Display} */ display;
  /** @type {import("./board.js").Board} */ board;
  /** @type {import("./panel.js").Panel} */ panel;
  /** @type {import("./composer.js").Composer} */ composer;
  /** @type {import("./review.js").Review} */ review;
  /** @type {import("./match-updates.js").MatchUpdates} */ updates;
  /** @type {import("./match-poller.js").MatchPoller} */ poller;
  /** @type {Texts} */ texts;
  /** @type {Urls} */ urls;
  /** @type {() => void} */ onTurn;
  /** @type {(error: unknown) => void} */ onRefusal;

  /**
   * `onTurn()` is called when the opponent's turn follows, `onRefusal(error)` when it was refused, or could not be sent.
   *
   * @param {Pick<TurnInput, "state" | "display" | "board" | "panel" | "composer" | "review" | "updates" | "poller" | "texts" |
   *   "urls" | "onTurn" | "onRefusal">} parts
   */
  constructor({ state, display, board, panel, composer, review, updates, poller, texts, urls, onTurn, onRefusal }) {
    Object.assign(this, { state, display, board, panel, composer, review, updates, poller, texts, urls, onTurn, onRefusal });
  }

  /**
   * Pass on a space that was chosen on the board, and say what comes next.
   *
   * @param {string} space
   */
  async choose(space) {
    if (this.state.sending || this.review.active || !this.state.mine) return;
    const known = await whileBusy(this.composer.choose(space));
    const next = known ? textOf(this.texts, this.composer.guidance) : this.texts.nowhere;
    this.panel.say([this.board.labelOf(space), next].join(". "));
  }

  /**
   * Play `actions`, if there are any and none are on their way, and show the match after them.
   *
   * @param {string[] | null} actions
   */
  async play(actions) {
    if (this.state.sending || !actions) return;
    await whileBusy(this.#play(actions));
  }

  /** @param {string[]} actions */
  async #play(actions) {
    const { state, display, panel, updates } = this;
    const { ply } = state.match;
    state.sending = true;
    panel.refuse(null);
    this.composer.hold();
    display.showTurn();
    const refusal = await this.#send(ply, actions);
    const shown = await updates.fetch().then(() => true, () => false);
    // Until the match after it is shown nothing can be chosen: the board still shows the position before.
    state.sending = false;
    this.composer.release();
    if (!refusal && !shown) {
      this.composer.stop();
      panel.refuse({ rule: "", message: this.texts.stored });
    }
    display.showTurn();
    const stored = refusal && !(refusal instanceof Refusal) && state.match.ply > ply;
    if (refusal && !stored) this.onRefusal(refusal);
    else if (shown && !state.mine) this.onTurn();
    this.poller.ask(OWN_MOVE_DELAY);
  }

  /**
   * Send the actions of a turn; return the error if there is one.
   *
   * @param {number} ply
   * @param {string[]} actions
   * @returns {Promise<unknown>}
   */
  async #send(ply, actions) {
    try {
      await post(this.urls.moves, { ply, texts: actions }, { Prefer: "return=minimal" });
      find(byId("typed"), "[name=text]", HTMLInputElement).value = "";
      return null;
    } catch (refusal) {
      return refusal;
    }
  }
}
