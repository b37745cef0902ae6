// Lets the person whose turn it is play: what is chosen on the board, and the turn as it is sent.

import { Refusal, get, post } from "./api.js";
import { working } from "./working.js";

const AFTER_OWN_MOVE = 400;

export class Playing {
  /** `onRefusal(error)` is told why a turn was refused, or could not be sent. */
  constructor({ state, display, board, panel, composer, review, following, live, texts, addresses, onRefusal }) {
    Object.assign(this, { state, display, board, panel, composer, review, following, live, texts, addresses, onRefusal });
  }

  /** A space was chosen on the board. */
  async choose(space) {
    if (this.state.sending || this.review.active || !this.state.mine) return;
    const known = await working(this.composer.choose(space));
    const { task, key } = this.composer.guidance;
    this.panel.say([this.board.labelOf(space), known ? this.texts[key] ?? task : this.texts.nowhere].join(". "));
  }

  /** Play actions, if there are any and none are on their way, and show what has come of them. */
  async play(actions) {
    if (this.state.sending || !actions) return;
    await working(this.#play(actions));
  }

  async #play(actions) {
    const { state, display, panel, following } = this;
    const { ply } = state.match;
    state.sending = true;
    panel.refuse(null);
    this.composer.hold();
    display.showTurn();
    const { news, refusal } = await this.#send(ply, actions);
    const followed = news ? following.follow(news) : get(this.addresses.match).then((stored) => following.follow(stored));
    const shown = await followed.then(() => true, () => false);
    // Until the match after it is shown nothing can be chosen: it would be chosen in the position before.
    state.sending = false;
    this.composer.release();
    if (news && !shown) {
      this.composer.stop();
      panel.refuse({ rule: "", message: this.texts.stored });
    }
    display.showTurn();
    const stored = refusal && !(refusal instanceof Refusal) && state.match.ply > ply;
    if (refusal && !stored) this.onRefusal(refusal);
    this.live.ask(AFTER_OWN_MOVE);
  }

  /** Play the actions of a turn: the match after them as `news`, or why they were refused, or not sent, as `refusal`. */
  async #send(ply, actions) {
    try {
      const { match } = await post(this.addresses.moves, { ply, texts: actions });
      document.getElementById("typed").elements.text.value = "";
      return { news: match };
    } catch (refusal) {
      return { refusal };
    }
  }
}
