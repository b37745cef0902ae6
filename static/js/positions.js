// The positions of a match so far. They never change, so each is loaded once.

export class Positions {
  #loaded = new Map();

  /** `load(ply)` fetches the position after `ply` moves, with the last of them. */
  constructor(load) {
    this.load = load;
  }

  /** Return the position after `ply` moves. */
  async at(ply) {
    if (!this.#loaded.has(ply)) this.#loaded.set(ply, this.load(ply));
    try {
      return await this.#loaded.get(ply);
    } catch (error) {
      this.#loaded.delete(ply);
      throw error;
    }
  }

  /** Return the position after the last move of a match that was no roll, or null. */
  async lastOf({ moves }) {
    const last = moves.findLastIndex((move) => move.actor !== "chance");
    return last < 0 ? null : this.at(last + 1);
  }
}
