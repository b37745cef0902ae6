// The positions of a match so far. They never change, so each is loaded once, with those around it.

import { completePosition } from "./drawings.js";

export class Positions {
  /** @type {Map<number, Position>} */ #known = new Map();
  /** @type {Map<string, Promise<void>>} */ #loading = new Map();

  /**
   * `load(first, last)` fetches positions by the number of moves before them, the first of them whole. `length` is how many it
   * may fetch, `total()` after how many moves the match is.
   *
   * @param {{load: (first: number, last: number) => Promise<{positions: ChangedPosition[]}>, length: number, total: () => number}} parts
   */
  constructor({ load, length, total }) {
    this.load = load;
    this.length = length;
    this.total = total;
  }

  /**
   * Return the position after `ply` moves.
   *
   * @param {number} ply
   */
  async at(ply) {
    if (!this.#known.has(ply)) await this.#loadAround(ply);
    return this.#known.get(ply);
  }

  /**
   * Keep a position that has come by itself.
   *
   * @param {Position} position
   */
  keep(position) {
    this.#known.set(position.ply, position);
  }

  /** @param {number} ply */
  async #loadAround(ply) {
    const first = ply - (ply % this.length);
    const last = Math.min(first + this.length - 1, this.total());
    const range = `${first}-${last}`;
    const loading = this.#loading.get(range)
      ?? this.load(first, last).then(({ positions }) => completeAll(positions).forEach((each) => this.keep(each)));
    this.#loading.set(range, loading);
    try {
      await loading;
    } finally {
      this.#loading.delete(range);
    }
  }
}

/**
 * Return whole positions, of which all but the first come as what differs from the one before.
 *
 * @param {ChangedPosition[]} changed
 */
const completeAll = (changed) => {
  /** @type {Position[]} */
  const positions = [];
  for (const each of changed) {
    const before = positions.at(-1);
    const drawing = before ? (before.next ?? before.drawing) : /** @type {Drawing} */ (each.drawing);
    positions.push(completePosition(each, drawing, before?.in_words ?? []));
  }
  return positions;
};
