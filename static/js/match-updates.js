// Updates of a match: what belongs to one is completed first, then stored in the state, then shown.

import { attend, get, getFragment } from "./api.js";
import { whileBusy } from "./busy.js";
import { completePosition } from "./drawings.js";

export class MatchUpdates {
  /** @type {import("./match-state.js").MatchState} */ state;
  /** @type {import("./display.js").Display} */ display;
  /** @type {import("./panel.js").Panel} */ panel;
  /** @type {import("./clocks.js").Clocks} */ clocks;
  /** @type {import("./composer.js").Composer} */ composer;
  /** @type {import("./review.js").Review} */ review;
  /** @type {import("./positions.js").Positions} */ positions;
  /** @type {import("./offers.js").Offers} */ offers;
  /** @type {import("./beforehand.js").Beforehand} */ beforehand;
  /** @type {Texts} */ texts;
  /** @type {Urls} */ urls;
  /** @type {() => unknown} */ onTurn;

  /** @type {Promise<unknown>} */ #last = Promise.resolve();

  /**
   * `onTurn()` is called when the turn may have changed.
   *
   * @param {Pick<MatchUpdates, "state" | "display" | "panel" | "clocks" | "composer" | "review" | "positions" | "offers" | "beforehand" |
   *   "texts" | "urls" | "onTurn">} parts
   */
  constructor({ state, display, panel, clocks, composer, review, positions, offers, beforehand, texts, urls, onTurn }) {
    Object.assign(this, { state, display, panel, clocks, composer, review, positions, offers, beforehand, texts, urls, onTurn });
  }

  /** The URL of what has happened since this page was last up to date. */
  get url() {
    return `${this.urls.updates}?since=${this.state.match.ply}`;
  }

  /** Fetch what has happened, and apply it. */
  fetch() {
    return whileBusy(get(this.url).then((news) => this.apply(news)));
  }

  /**
   * Apply `news`, one after the other; `ahead` is how far the server's clock is ahead of this one, if known.
   *
   * @param {MatchUpdate} news
   * @param {number | null} ahead
   */
  apply(news, ahead = null) {
    const applied = this.#last.then(() => whileBusy(this.#apply(news, ahead)));
    this.#last = applied.catch(() => {});
    return applied;
  }

  /**
   * @param {MatchUpdate} news
   * @param {number | null} ahead
   */
  async #apply(news, ahead) {
    const { state, display, panel, review, texts } = this;
    const { ply, take_backs: known } = state.match;
    // Moves that this page knows have left the match: all that it shows may be others.
    if (news.match.take_backs > known) location.reload();
    if (news.match.take_backs !== known) return;
    const fresh = state.differsFrom(news.match) ? await this.#complete(news) : null;
    state.update(fresh?.match ?? news.match, fresh?.positions.at(-1)?.in_words);
    this.clocks.set(state.match, ahead);
    await this.offers.follow(news.match);
    if (!fresh) return;
    this.beforehand.follow();
    this.onTurn();
    if (state.mine) attend(this.url);
    const last = fresh.positions.at(-1);
    const trail = fresh.positions.findLast((position) => position.trail)?.trail ?? state.trail;
    const drawing = last ? (last.next ?? last.drawing) : state.drawing;
    Object.assign(state, { drawing, trail, steps: fresh.steps, placing: fresh.placing });
    this.composer.stop();
    panel.refuse(null);
    display.showTurn();
    panel.clearRolls();
    const words = review.active ? [] : await display.replay(fresh.positions);
    review.grow(state.match.ply);
    if (fresh.panels === null) display.showRows(fresh);
    else display.showPanels(fresh.panels);
    panel.rolled(state.match.ply > ply);
    if (review.active) display.showReviewed();
    else display.showNow();
    if (state.mine) words.push(`${texts.yours}.`, state.match.task);
    panel.say(words.join(" "));
    if (!state.playing) document.getElementById("result")?.scrollIntoView({ block: "nearest" });
  }

  /**
   * Complete what is needed to show `news`: they are shown completely, or not yet. What a stream has sent may begin later
   * than this page, or have no room for the steps: then the page asks once for everything. The panels change with the first
   * move and at the end; else the rows of the moves do.
   *
   * @param {MatchUpdate} news
   */
  async #complete(news) {
    const { state } = this;
    const toMove = news.match.turn !== null && news.match.turn === state.match.you && !news.match.paused_at;
    const isWhole = news.since <= state.match.ply && (news.steps || !toMove);
    /** @type {MatchUpdate} */
    const known = isWhole ? news : await get(this.url);
    const { match, positions, rows_since, rows, rolls, steps = {}, placing = null } = known;
    const hasOthers = match.status !== state.match.status || (rows && !this.display.hasRows);
    const url = this.display.hasAllRows ? `${this.urls.panels}?rows=all` : this.urls.panels;
    const panels = hasOthers ? await getFragment(url) : null;
    let { drawing, in_words: words } = state;
    const fresh = positions.filter((position) => position.ply > state.match.ply).map((position) => {
      const completed = completePosition(position, drawing, words);
      drawing = completed.next ?? completed.drawing;
      words = completed.in_words;
      return completed;
    });
    for (const position of fresh) this.positions.keep(position);
    return { match, positions: fresh, panels, steps, placing, rows_since, rows, rolls };
  }
}
