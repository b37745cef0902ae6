// What the coach has put together so far. It knows the tree of what may be clicked next, and no rules.

/**
 * `tree` maps a text to the steps that may follow it: `{"": [{text, space, final}], "c3": […]}`.
 * `same(a, b)` tells whether two spaces count as one to click on (the two halves of a goal).
 */
export class Turn {
  path = [];

  constructor(tree, same) {
    this.tree = tree;
    this.same = same;
  }

  /** The step chosen last, or null. */
  get last() {
    return this.path.at(-1) ?? null;
  }

  /** The text of a move that may be played as it stands, or null. */
  get move() {
    return this.last?.final ? this.last.text : null;
  }

  /** The steps that go on from here; where a move is complete, the ones that could stand in its last step's place. */
  get options() {
    const next = this.#after(this.path.length);
    return next.length ? next : this.#after(this.path.length - 1);
  }

  /** The steps at the very beginning. */
  get starts() {
    return this.#after(0);
  }

  /** Choose a space: the nearest level at which it is offered, from here back to the beginning. False if none. */
  choose(space) {
    for (let level = this.path.length; level >= 0; level -= 1) {
      const step = this.#after(level).find((option) => option.space && this.same(option.space, space));
      if (!step) continue;
      const again = this.path[level] === step;
      this.path.length = level;
      if (!again) this.path.push(step);
      return true;
    }
    return false;
  }

  /** Take the last step back. False if there is none. */
  undo() {
    return this.path.pop() !== undefined;
  }

  /** Take everything back. */
  clear() {
    this.path.length = 0;
  }

  #after(level) {
    if (level < 0) return [];
    const prefix = level ? this.path[level - 1].text : "";
    return this.tree[prefix] ?? [];
  }
}
