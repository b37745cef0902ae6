// The board: draws pictures, marks spaces, animates routes, and tells which space was chosen. A board whose template has
// a layer of ink shows lines drawn in play: the ball draws one to each space that is chosen.

const WALK_STEP_DURATION = 150;
const KICK_STEP = 110;
const CORNER = 30;
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const MARKS = ["start", "reach", "onward", "target", "chosen", "goalmouth"];
const GUIDE = /^guide([A-Z])/;

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Board {
  #spaces = new Map();
  #spots = new Map();
  #picture = null;

  /** `onChoose(name)` is called for a click, tap or Enter; `onUndo()` for Escape. */
  constructor(svg, { onChoose, onUndo }) {
    this.svg = svg;
    this.onChoose = onChoose;
    this.onUndo = onUndo;
    this.ball = svg.querySelector(".ball");
    this.trailLayer = svg.querySelector(".trail");
    this.inkLayer = svg.querySelector(".ink");
    for (const space of svg.querySelectorAll(".space")) this.#spaces.set(space.dataset.space, space);
    for (const spot of svg.querySelectorAll(".spots .spot")) this.#spots.set(spot.dataset.space, spot);
    svg.setAttribute("aria-describedby", "board-help");
    this.#rove(this.#spaces.values().next().value);
    svg.addEventListener("click", (event) => this.#clicked(event));
    svg.addEventListener("keydown", (event) => this.#pressed(event));
    svg.addEventListener("focusin", (event) => this.#rove(event.target.closest(".space")));
  }

  /** Whether lines are drawn in play. */
  get inked() {
    return this.inkLayer !== null;
  }

  /** What this board says while a turn is put together, by key. */
  get texts() {
    const guides = Object.entries(this.svg.dataset).filter(([key]) => GUIDE.test(key));
    return Object.fromEntries(guides.map(([key, text]) => [key.replace(GUIDE, (_, initial) => initial.toLowerCase()), text]));
  }

  get flipped() {
    return this.svg.classList.contains("flipped");
  }

  /** Give the focus to the space that is reached by Tab. */
  focus() {
    this.svg.querySelector('.space[tabindex="0"]').focus({ preventScroll: true });
  }

  turnRound() {
    this.svg.classList.toggle("flipped");
  }

  /** Whether two spaces are one target: the same space, or both in one goal. */
  same = (a, b) => a === b || (this.#inGoal(a) && this.#inGoal(b) && this.#row(a) === this.#row(b));

  /** What stands on a space, in words. */
  labelOf(name) {
    const words = [...(this.#picture?.figures ?? [])]
      .filter((figure) => figure.space === name)
      .map((figure) => `${this.svg.dataset[`${figure.side}${figure.kind === "goalie" ? "Goalie" : "Outfielder"}`]} ${figure.number}`);
    const { labelBall, labelDrawn, labelEmpty } = this.svg.dataset;
    const { word } = this.#spaces.get(name).dataset;
    if (this.#picture?.ball === name) words.push(labelBall);
    if (word) words.push(word);
    else if (this.#picture?.segments.some(({ start, end }) => start === name || end === name)) words.push(labelDrawn);
    return [name, ...(words.length ? words : [labelEmpty])].join(", ");
  }

  /** Draw a picture at once. */
  draw(picture) {
    this.#picture = picture;
    for (const figure of picture.figures) this.#put(this.#figure(`${figure.side}-${figure.number}`), figure.space);
    this.#put(this.ball, picture.ball);
    this.ball.classList.toggle("shared", picture.figures.some((figure) => figure.space && figure.space === picture.ball));
    for (const [name, space] of this.#spaces) space.setAttribute("aria-label", this.labelOf(name));
    for (const [name, spot] of this.#spots) spot.classList.toggle("marked", picture.marks.includes(name));
    if (this.inked) this.#drawInk(picture.segments);
  }

  /** On a board with ink, let the ball of the picture draw to one space after the other. */
  sketch(side, names) {
    if (!this.inked || !this.#picture) return;
    const way = [this.#picture.ball, ...names];
    this.#drawInk(this.#picture.segments, way.slice(1).map((end, number) => ({ side, start: way[number], end })));
    this.#put(this.ball, way.at(-1));
  }

  /**
   * Mark spaces: `starts`, `reach`, `chosen` are names, `onward` those after which the turn goes on, `target` the
   * ball's space; `decided` makes the rest quieter.
   */
  mark({ starts = [], reach = [], onward = [], chosen = [], target = null, decided = false } = {}) {
    this.svg.classList.toggle("decided", decided);
    for (const spot of this.#spots.values()) spot.classList.remove(...MARKS);
    for (const [name, space] of this.#spaces) {
      if (space.classList.contains("active")) space.setAttribute("aria-label", this.labelOf(name));
      space.classList.remove("active");
      space.removeAttribute("aria-pressed");
    }
    for (const name of starts) this.#mark(name, "start");
    for (const name of reach) this.#mark(name, "reach");
    for (const name of chosen) this.#mark(name, "chosen", false);
    for (const name of onward) this.#spots.get(name).classList.add("onward");
    if (target && reach.includes(target)) this.#spots.get(target).classList.add("target");
    for (const name of [...starts, ...reach]) {
      const label = chosen.includes(name) ? this.labelOf(name) : `${this.labelOf(name)}, ${this.svg.dataset.labelReach}`;
      this.#spaces.get(name).setAttribute("aria-label", label);
    }
    for (const name of chosen) this.#spaces.get(name).setAttribute("aria-pressed", "true");
    if (!this.svg.contains(document.activeElement)) this.#rove(this.#spaces.get(starts[0] ?? reach[0]));
  }

  /** Show where the last move's route began and ended; null takes it away. */
  markLast(route) {
    const ends = route ? [route.walk[0], route.walk.at(-1)] : [];
    if (route?.kick.length && this.#isPitch(route.kick.at(-1))) ends.push(route.kick.at(-1));
    for (const [name, spot] of this.#spots) spot.classList.toggle("last", ends.includes(name));
  }

  /** Draw a route as lines; null takes it away. */
  trail(route, side) {
    this.trailLayer.replaceChildren();
    if (!route || this.inked) return;
    this.#line(`walk ${side}`, route.walk.map((name) => this.#middle(name)));
    if (route.kick.length) this.#line("kick", this.#kickPoints(route.kick));
    for (const name of route.touches) {
      const [x, y] = this.#middle(name);
      this.trailLayer.append(element("circle", { class: "touch", cx: x, cy: y, r: 43 }));
    }
  }

  /** Let the figure walk and the ball roll along a route, on the picture before the move. */
  async animate(route) {
    if (still.matches || document.hidden || !this.#picture) return;
    const walker = this.#picture.figures.find((figure) => figure.space === route.walk[0]);
    if (walker && route.walk.length > 1) {
      const figure = this.#figure(`${walker.side}-${walker.number}`);
      await this.#run(figure, route.walk.map((name) => this.#middle(name)), WALK_STEP_DURATION);
    }
    if (!route.kick.length) return;
    this.#put(this.ball, route.kick[0]);
    await this.#run(this.ball, this.#kickPoints(route.kick), KICK_STEP);
  }

  /** Draw lines in their order; those that a side drew last, and a sketch, stand out. */
  #drawInk(segments, sketch = []) {
    const older = segments.findLastIndex((each) => each.side !== segments.at(-1).side) + 1;
    const latest = sketch.length ? [] : segments.slice(older);
    this.inkLayer.replaceChildren(
      ...latest.map((each) => this.#segment("marker", each)),
      ...sketch.map((each) => this.#segment("marker sketch", each)),
      ...[...segments, ...sketch].map((each) => this.#segment(`drawn ${each.side}`, each)),
    );
  }

  #segment(kind, { start, end }) {
    const [[x1, y1], [x2, y2]] = [this.#middle(start), this.#middle(end)];
    return element("line", { class: kind, x1, y1, x2, y2 });
  }

  #mark(name, mark, active = true) {
    for (const other of this.#inGoal(name) ? [...this.#spots.keys()].filter((it) => this.same(it, name)) : [name]) {
      this.#spots.get(other).classList.add(mark);
      if (this.#inGoal(other)) this.#spots.get(other).classList.add("goalmouth");
      if (active) this.#spaces.get(other).classList.add("active");
    }
  }

  #inGoal(name) {
    return this.#spaces.get(name)?.classList.contains("goal") ?? false;
  }

  #isPitch(name) {
    return this.#spaces.get(name).classList.contains("pitch");
  }

  #row(name) {
    return this.#spaces.get(name).dataset.y;
  }

  #figure(name) {
    return this.svg.querySelector(`[data-figure="${name}"]`);
  }

  #middle(name) {
    const { x, y } = this.#spaces.get(name).dataset;
    return [Number(x) * 100 + 50, Number(y) * 100 + 50];
  }

  /** The points of a kick. A ball that crosses the end line beside the goal's middle flies into its near corner. */
  #kickPoints(names) {
    const points = names.map((name) => this.#middle(name));
    const last = this.#spaces.get(names.at(-1));
    if (!last.classList.contains("outside")) return points;
    const goals = [...this.#spaces.keys()].filter((name) => this.#inGoal(name) && this.#row(name) === last.dataset.y);
    const [x, y] = points.at(-1);
    const [near] = goals.map((name) => this.#middle(name)[0]).sort((a, b) => Math.abs(a - x) - Math.abs(b - x));
    return [...points.slice(0, -1), [near + Math.sign(x - near) * CORNER, y]];
  }

  #put(piece, space) {
    piece.setAttribute("visibility", space ? "visible" : "hidden");
    if (space) piece.setAttribute("transform", `translate(${this.#middle(space).join(" ")})`);
  }

  #line(kind, points) {
    if (points.length < 2) return;
    this.trailLayer.append(element("polyline", { class: kind, points: points.join(" ") }));
  }

  async #run(piece, points, step) {
    const duration = step * (points.length - 1);
    if (!duration) return;
    const frames = points.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
    await piece.animate(frames, { duration, easing: "ease-in-out", fill: "none" }).finished;
    piece.setAttribute("transform", `translate(${points.at(-1).join(" ")})`);
  }

  #clicked(event) {
    const space = event.target.closest(".space");
    if (space) this.onChoose(space.dataset.space);
  }

  #pressed(event) {
    const space = event.target.closest(".space");
    if (!space) return;
    if (ARROWS[event.key]) {
      const turned = this.flipped ? -1 : 1;
      const x = Number(space.dataset.x) + ARROWS[event.key][0] * turned;
      const y = Number(space.dataset.y) + ARROWS[event.key][1] * turned;
      this.svg.querySelector(`.space[data-x="${x}"][data-y="${y}"]`)?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.onChoose(space.dataset.space);
    } else if (event.key === "Escape") {
      this.onUndo();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #rove(space) {
    if (!space) return;
    this.svg.querySelector('.space[tabindex="0"]')?.setAttribute("tabindex", "-1");
    space.setAttribute("tabindex", "0");
  }
}

const element = (name, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};
