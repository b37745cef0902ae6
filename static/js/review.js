// Stepping through a match that was played so far.

/**
 * `load(ply)` fetches a position, `show(position, ply)` draws a past one, `leave()` the present one. `onRefusal(error)` is
 * told if one cannot be loaded: then the one before it stays. `addressed` says whether each has an address of its own.
 */
export class Review {
  #wanted = 0;

  constructor({ root, load, total, shown, show, leave, onRefusal, addressed = true }) {
    Object.assign(this, { root, load, total, show, leave, onRefusal, addressed });
    this.ply = shown;
    this.slider = root.querySelector("#ply");
    const targets = { first: () => 0, back: () => this.ply - 1, forward: () => this.ply + 1, last: () => this.total };
    for (const button of root.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => this.#step(targets[button.dataset.go]()));
    }
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    document.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, .board")) return;
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.#step(this.ply + step);
    });
    this.#settle();
  }

  get active() {
    return this.ply < this.total;
  }

  /** Events were added: follow them, unless a past position is being looked at. */
  grow(total) {
    if (!this.active) this.ply = total;
    this.total = total;
    this.#settle();
  }

  async go(ply) {
    const wanted = Math.min(Math.max(ply, 0), this.total);
    this.#wanted = wanted;
    if (wanted === this.total) {
      this.ply = wanted;
      this.#settle();
      this.leave();
      return;
    }
    let position;
    try {
      position = await this.load(wanted);
    } catch (error) {
      if (this.#wanted !== wanted) return;
      this.#settle();
      this.onRefusal(error);
      return;
    }
    if (this.#wanted !== wanted) return;
    this.ply = wanted;
    this.#settle();
    this.show(position, wanted);
  }

  /** Go to another position, if there is one: at either end nothing is shown anew. */
  #step(ply) {
    if (ply !== this.ply && ply >= 0 && ply <= this.total) this.go(ply);
  }

  #settle() {
    this.slider.max = this.total;
    this.slider.value = this.ply;
    for (const button of this.root.querySelectorAll("[data-go]")) {
      const back = button.dataset.go === "first" || button.dataset.go === "back";
      button.setAttribute("aria-disabled", back ? this.ply === 0 : this.ply === this.total);
    }
    if (!this.addressed) return;
    const address = new URL(location.href);
    if (this.active) address.searchParams.set("ply", this.ply);
    else address.searchParams.delete("ply");
    history.replaceState(null, "", address);
  }
}

/** Mark the event in the list of moves that has led to a position, and have it in sight. */
export function markEntry(ply) {
  const entries = [...document.querySelectorAll("#moves [data-ply]")];
  const reached = entries.filter((entry) => Number(entry.dataset.ply) <= ply);
  const current = reached.reduce((best, entry) => (best && best.dataset.ply - entry.dataset.ply > 0 ? best : entry), null);
  for (const entry of entries) {
    if (entry === current) entry.setAttribute("aria-current", "step");
    else entry.removeAttribute("aria-current");
  }
  if (!current) return;
  const box = document.getElementById("moves");
  const [outer, inner] = [box.getBoundingClientRect(), current.getBoundingClientRect()];
  if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + 8;
  if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top + 8;
}
