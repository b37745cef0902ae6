// Takes over what the server says about a match: fetched wholly, learned, then shown.

import { get, getFragment } from "./api.js";
import { working } from "./working.js";

const MOST_REPLAYED = 6;

export class Following {
  #last = Promise.resolve();

  /** `onTurn()` is called when it may have become another one's turn. */
  constructor({ state, display, panel, clocks, composer, review, positions, texts, addresses, onTurn }) {
    Object.assign(this, { state, display, panel, clocks, composer, review, positions, texts, addresses, onTurn });
  }

  /** Take over one piece of news after the other; `ahead` is how far the server's clock is ahead of this one, if known. */
  follow(news, ahead = null) {
    const followed = this.#last.then(() => working(this.#takeOver(news, ahead)));
    this.#last = followed.catch(() => {});
    return followed;
  }

  async #takeOver(news, ahead) {
    const { state, display, panel, review, texts } = this;
    const { ply } = state.match;
    const fresh = state.differsFrom(news) ? await this.#fetch(news) : null;
    state.learn(news);
    this.clocks.set(state.match, ahead);
    if (!fresh) return;
    this.onTurn();
    Object.assign(state, { steps: fresh.steps, placing: fresh.placing });
    this.composer.stop();
    panel.refuse(null);
    display.showTurn();
    const told = review.active ? [] : await display.replay(fresh.events);
    review.grow(state.match.ply);
    panel.rolled(state.match.moves, state.match.ply > ply);
    display.showPanels(fresh.panels);
    if (review.active) display.showReviewed();
    else await display.showNow();
    if (state.mine) told.push(`${texts.yours}.`, state.match.task);
    panel.say(told.join(" "));
    if (!state.playing) document.getElementById("result")?.scrollIntoView({ block: "nearest" });
  }

  /** All that is needed to show `news`, so that they are shown wholly, or not yet. */
  async #fetch(news) {
    const toMove = news.turn !== null && news.turn === news.you && !news.paused_at;
    const plies = [];
    for (let ply = Math.max(this.state.match.ply, news.ply - MOST_REPLAYED) + 1; ply <= news.ply; ply += 1) plies.push(ply);
    const [{ steps, placing }, panels, events] = await Promise.all([
      toMove ? get(`${this.addresses.steps}?all=1`) : { steps: {}, placing: null },
      getFragment(this.addresses.panels),
      Promise.all(plies.map((ply) => this.positions.at(ply))),
      this.positions.lastOf(news),
    ]);
    return { steps, placing, panels, events };
  }
}
