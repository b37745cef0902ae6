// A turn that is being composed: it knows the tree of what may be clicked next, and no rules.

/**
 * `tree` maps a text to the steps that may follow it: `{"": [{text, space, final}], "c3": […]}`; of a large one only the
 * beginning is there, and more is added by `grow`. `same(a, b)` tells whether two spaces count as one to click on (the two
 * halves of a goal), `most` how many steps a choice may take back.
 */
export class Turn {
  /** @type {Step[]} */ path = [];

  /**
   * @param {Tree} tree
   * @param {(a: string, b: string) => boolean} same
   */
  constructor(tree, same, most = Infinity) {
    this.tree = tree;
    this.same = same;
    this.most = most;
  }

  /** The step chosen last, or null. */
  get last() {
    return this.path.at(-1) ?? null;
  }

  /** The text of a move that may be played as it stands, or null. */
  get move() {
    return this.last?.final ? this.last.text : null;
  }

  /** The text whose next steps are not known yet, or null. */
  get unknown() {
    return this.last && !this.last.final && !this.tree[this.last.text] ? this.last.text : null;
  }

  /**
   * Add the steps that may follow a text.
   *
   * @param {string} text
   * @param {Step[]} steps
   */
  grow(text, steps) {
    this.tree[text] = steps;
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

  /**
   * Choose a space: the nearest level at which it is offered, from here back to the beginning. False if none.
   *
   * @param {string} space
   */
  choose(space) {
    for (let level = this.path.length; level >= Math.max(0, this.path.length - this.most); level -= 1) {
      const steps = this.#after(level).filter((option) => option.space);
      const step = steps.find((option) => option.space === space) ?? steps.find((option) => this.same(option.space, space));
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

  /** @param {number} level */
  #after(level) {
    if (level < 0) return [];
    const prefix = level ? this.path[level - 1].text : "";
    return this.tree[prefix] ?? [];
  }
}
