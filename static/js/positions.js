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
   * Keep a position that has come by itself.
   *
   * @param {Position} position
   */
  keep(position) {
    this.#loaded.set(position.ply, Promise.resolve(position));
  }
}
