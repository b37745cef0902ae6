// Updates of a match: everything that belongs to one is fetched first, then stored in the state, then shown.

import { get, getFragment } from "./api.js";
import { whileBusy } from "./busy.js";

const MAX_REPLAYED = 6;

export class MatchUpdates {
  /** @type {import("./match-state.js").MatchState} */ state;
  /** @type {import("./display.js").Display} */ display;
  /** @type {import("./panel.js").Panel} */ panel;
  /** @type {import("./clocks.js").Clocks} */ clocks;
  /** @type {import("./composer.js").Composer} */ composer;
  /** @type {import("./review.js").Review} */ review;
  /** @type {import("./positions.js").Positions} */ positions;
  /** @type {Texts} */ texts;
  /** @type {Urls} */ urls;
  /** @type {() => void} */ onTurn;

  /** @type {Promise<unknown>} */ #last = Promise.resolve();

  /**
   * `onTurn()` is called when the turn may have changed.
   *
   * @param {Pick<MatchUpdates, "state" | "display" | "panel" | "clocks" | "composer" | "review" | "positions" | "texts" | "urls" |
   *   "onTurn">} parts
   */
  constructor({ state, display, panel, clocks, composer, review, positions, texts, urls, onTurn }) {
    Object.assign(this, { state, display, panel, clocks, composer, review, positions, texts, urls, onTurn });
  }

  /**
   * Apply `news`, one after the other; `ahead` is how far the server's clock is ahead of this one, if known.
   *
   * @param {Match} news
   * @param {number | null} ahead
   */
  apply(news, ahead = null) {
    const applied = this.#last.then(() => whileBusy(this.#apply(news, ahead)));
    this.#last = applied.catch(() => {});
    return applied;
  }

  /**
   * @param {Match} news
   * @param {number | null} ahead
   */
  async #apply(news, ahead) {
    const { state, display, panel, review, texts } = this;
    const { ply } = state.match;
    const fresh = state.differsFrom(news) ? await this.#fetch(news) : null;
    state.update(news);
    this.clocks.set(state.match, ahead);
    if (!fresh) return;
    this.onTurn();
    Object.assign(state, { drawing: fresh.drawing, steps: fresh.steps, placing: fresh.placing });
    this.composer.stop();
    panel.refuse(null);
    display.showTurn();
    panel.clearRolls();
    const words = review.active ? [] : await display.replay(fresh.positions);
    review.grow(state.match.ply);
    display.showPanels(fresh.panels);
    panel.rolled(state.match.ply > ply);
    if (review.active) display.showReviewed();
    else await display.showNow();
    if (state.mine) words.push(`${texts.yours}.`, state.match.task);
    panel.say(words.join(" "));
    if (!state.playing) document.getElementById("result")?.scrollIntoView({ block: "nearest" });
  }

  /**
   * Fetch everything that is needed to show `news`: they are shown completely, or not yet.
   *
   * @param {Match} news
   */
  async #fetch(news) {
    const toMove = news.turn !== null && news.turn === news.you && !news.paused_at;
    const plies = [];
    for (let ply = Math.max(this.state.match.ply, news.ply - MAX_REPLAYED) + 1; ply <= news.ply; ply += 1) plies.push(ply);
    const [{ steps, placing }, panels, positions, now] = await Promise.all([
      toMove ? get(`${this.urls.steps}?all=1`) : { steps: {}, placing: null },
      getFragment(this.urls.panels),
      Promise.all(plies.map((ply) => this.positions.at(ply))),
      this.positions.at(news.ply),
      this.positions.lastOf(news),
    ]);
    return { drawing: now.next ?? now.drawing, steps, placing, panels, positions };
  }
}
