// The positions of a match so far. They never change, so each is loaded once.

export class Positions {
  /** @type {Map<number, Promise<Position>>} */ #loaded = new Map();

  /**
   * `load(ply)` fetches the position after `ply` moves, with the last of them.
   *
   * @param {(ply: number) => Promise<Position>} load
   */
  constructor(load) {
    this.load = load;
  }

  /**
   * Return the position after `ply` moves.
   *
   * @param {number} ply
   */
  async at(ply) {
    const loading = this.#loaded.get(ply) ?? this.load(ply);
    this.#loaded.set(ply, loading);
    try {
      return await loading;
    } catch (error) {
      this.#loaded.delete(ply);
      throw error;
    }
  }

  /**
   * Return the position after the last move of a match that was no roll, or null.
   *
   * @param {Match} match
   */
  async lastOf({ moves }) {
    const last = moves.findLastIndex((move) => move.actor !== "chance");
    return last < 0 ? null : this.at(last + 1);
  }
}
