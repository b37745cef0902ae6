// What a match page knows: the match as the server told it last, and what its viewer may do now.

export class State {
  /** Whether a move of the viewer's is on its way. */
  sending = false;

  /**
   * `match` is the match's JSON, `steps` the tree of what may be clicked, empty unless the viewer is to move, `placing` how a
   * turn goes on that puts several figures on the board, or null.
   */
  constructor({ match, steps, placing }) {
    Object.assign(this, { match, steps, placing });
  }

  get playing() {
    return this.match.status === "playing";
  }

  /** Whether the viewer is to move. */
  get mine() {
    return this.playing && !this.match.paused_at && this.match.you !== null && this.match.turn === this.match.you;
  }

  /** Take over news, unless what is known is newer. */
  learn(news) {
    if (news.ply >= this.match.ply) this.match = news;
  }

  /** Whether somebody who knows this has to see something new of `news`. */
  differsFrom(news) {
    const { ply, status, paused_at: paused } = this.match;
    return news.ply > ply || news.status !== status || news.paused_at !== paused;
  }
}
