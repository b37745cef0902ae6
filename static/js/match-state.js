// The state of a match page: the match as the server sent it last, and what its viewer may do now.

export class MatchState {
  /** @type {Match} */ match;
  /** @type {Drawing} */ drawing;
  /** @type {Tree} */ steps;
  /** @type {Placing | null} */ placing;

  /** Whether a move by the viewer is on its way. */
  sending = false;

  /**
   * `match` is the match's JSON, `drawing` what the board shows of it, `steps` the tree of what may be clicked, empty unless
   * the viewer is to move, `placing` how a turn goes on that puts several figures on the board, or null.
   *
   * @param {MatchNow} now
   */
  constructor({ match, drawing, steps, placing }) {
    Object.assign(this, { match, drawing, steps, placing });
  }

  get playing() {
    return this.match.status === "playing";
  }

  /** Whether the viewer is to move. */
  get mine() {
    return this.playing && !this.match.paused_at && this.match.you !== null && this.match.turn === this.match.you;
  }

  /**
   * Replace the match by `news`, unless it is older.
   *
   * @param {Match} news
   */
  update(news) {
    if (news.ply >= this.match.ply) this.match = news;
  }

  /**
   * Return whether `news` has something that this page does not show yet.
   *
   * @param {Match} news
   */
  differsFrom(news) {
    const { ply, status, paused_at: paused } = this.match;
    return news.ply > ply || news.status !== status || news.paused_at !== paused;
  }
}
