// The state of a match page: the match as the server sent it last, and what its viewer may do now.

export class MatchState {
  /** @type {Match} */ match;
  /** @type {Drawing} */ drawing;
  /** @type {string[]} */ in_words;
  /** @type {Trail | null} */ trail;
  /** @type {Tree} */ steps;
  /** @type {Placing | null} */ placing;

  /** Whether a move by the viewer is on its way. */
  sending = false;

  /**
   * `match` is the match's JSON, `drawing` what the board shows of it, `in_words` the position in sentences, `trail` that of
   * the last move that was no roll, `steps` the tree of what may be clicked, empty unless the viewer is to move, `placing` how
   * a turn goes on that puts several figures on the board, or null.
   *
   * @param {MatchNow} now
   */
  constructor({ match, drawing, in_words, trail, steps, placing }) {
    Object.assign(this, { match, drawing, in_words, trail, steps, placing });
  }

  get playing() {
    return this.match.status === "playing";
  }

  /** Whether the viewer is to move. */
  get mine() {
    return this.playing && !this.match.paused_at && this.match.you !== null && this.match.turn === this.match.you;
  }

  /**
   * Store how the match stands now, unless `news` is older, with its position in sentences if that is another one.
   *
   * @param {Standing} news
   * @param {string[]} sentences
   */
  update(news, sentences = this.in_words) {
    if (news.ply < this.match.ply) return;
    this.match = { ...this.match, ...news, in_words: news.in_words ?? sentences };
    this.in_words = sentences;
  }

  /**
   * Return whether `news` has something that this page does not show yet.
   *
   * @param {Standing} news
   */
  differsFrom(news) {
    const { ply, status, paused_at: paused } = this.match;
    return news.ply > ply || news.status !== status || news.paused_at !== paused;
  }
}
