// The board: places pieces, lines and labels as the server says, marks spaces, animates trails, and reports which space was
// chosen. On a board whose template has a layer of lines the ball draws one to each chosen space.

import { pause, whileHere } from "./here.js";
import { dataOf, find, findAll, findAround } from "./page.js";

/** @type {Record<string, number>} */
const STEP_DURATIONS = { figure: 150, ball: 110 };
/** @type {Record<string, Point>} */
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const MARKS = ["start", "reach", "onward", "target", "chosen", "joined"];
const GUIDE = /^guide([A-Z])/;

const ROLL_DELAY = 1900;

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Board {
  /** @type {Map<string, SVGElement>} */ #spaces = new Map();
  /** @type {Map<string, SVGElement>} */ #spots = new Map();
  /** @type {Map<string, Point>} */ #middles = new Map();
  /** @type {Drawing | null} */ #drawing = null;

  /**
   * `onChoose(name)` is called at a click, a tap or Enter, `onUndo()` at Escape.
   *
   * @param {SVGSVGElement} svg
   * @param {{onChoose: (name: string) => void, onUndo: () => void}} callbacks
   */
  constructor(svg, { onChoose, onUndo }) {
    this.svg = svg;
    this.onChoose = onChoose;
    this.onUndo = onUndo;
    this.ball = find(svg, ".ball", SVGElement);
    this.trailLayer = find(svg, ".trail", SVGElement);
    this.lineLayer = svg.querySelector(".lines");
    for (const space of findAll(svg, ".space", SVGElement)) {
      this.#spaces.set(dataOf(space, "space"), space);
      this.#middles.set(dataOf(space, "space"), middleOf(find(space, ".hit", SVGRectElement)));
    }
    for (const spot of findAll(svg, ".spots .spot", SVGElement)) this.#spots.set(dataOf(spot, "space"), spot);
    svg.setAttribute("aria-describedby", "board-help");
    this.#rove(findAll(svg, ".space", SVGElement)[0]);
    svg.addEventListener("click", (event) => this.#clicked(event));
    svg.addEventListener("keydown", (event) => this.#pressed(event));
    svg.addEventListener("focusin", (event) => this.#rove(spaceAt(event)));
  }

  /** Whether lines are drawn in play. */
  get drawsLines() {
    return this.lineLayer !== null;
  }

  /** What the panel says while a turn is composed on this board, by key. */
  get texts() {
    const guides = Object.entries(this.svg.dataset).filter(([key]) => GUIDE.test(key));
    return Object.fromEntries(guides.map(([key, text]) => [key.replace(GUIDE, (_, initial) => initial.toLowerCase()), text]));
  }

  get flipped() {
    return this.svg.classList.contains("flipped");
  }

  /** Focus the space that the Tab key reaches. */
  focus() {
    find(this.svg, '.space[tabindex="0"]', SVGElement).focus({ preventScroll: true });
  }

  turnRound() {
    this.svg.classList.toggle("flipped");
  }

  /**
   * Return whether two spaces are one target: the same space, or two of one group.
   *
   * @type {(a: string, b: string) => boolean}
   */
  same = (a, b) => a === b || (this.#target(a) !== undefined && this.#target(a) === this.#target(b));

  /**
   * Return a space and what is on it, in words.
   *
   * @param {string} name
   */
  labelOf(name) {
    return this.#drawing ? `${name}, ${this.#drawing.labels[name]}` : name;
  }

  /**
   * Return an image of a figure, to be shown beside the board.
   *
   * @param {string} figure
   */
  imageOf(figure) {
    const image = /** @type {SVGElement} */ (this.#piece(figure).cloneNode(true));
    for (const name of ["data-figure", "data-space", "transform", "visibility"]) image.removeAttribute(name);
    return image;
  }

  /**
   * Draw a position at once.
   *
   * @param {Drawing} drawing
   */
  draw(drawing) {
    this.#drawing = drawing;
    for (const figure of Object.keys(drawing.figures)) this.#dress(figure, drawing);
    this.#drawTallies(drawing.tallies);
    this.#put(this.ball, drawing.ball);
    this.ball.classList.toggle("shared", drawing.shared);
    for (const [name, space] of this.#spaces) space.setAttribute("aria-label", this.labelOf(name));
    for (const [name, spot] of this.#spots) spot.classList.toggle("marked", drawing.marks.includes(name));
    if (this.drawsLines) this.#drawLines(drawing);
  }

  /**
   * Where lines are drawn in play, let the ball draw some from its place to one space after the other.
   *
   * @param {string} side
   * @param {string[]} names
   */
  sketch(side, names) {
    if (!this.drawsLines || !this.#drawing) return;
    const { ball } = this.#drawing;
    const points = [...(ball ? [ball] : []), ...names].map((name) => this.#middleOf(name));
    this.#drawLines(this.#drawing, points.slice(1).map((end, number) => /** @type {Line} */ ([side, ...points[number], ...end])));
    this.#put(this.ball, names.at(-1) ?? ball);
  }

  /**
   * Mark spaces: `starts`, `reach`, `chosen` are names, `onward` those after which the turn goes on, `target` the
   * ball's space; `decided` makes the rest quieter.
   *
   * @param {{starts?: string[], reach?: string[], onward?: string[], chosen?: string[], target?: string | null, decided?: boolean}} marks
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
    for (const name of onward) this.#spot(name).classList.add("onward");
    if (target && reach.includes(target)) this.#spot(target).classList.add("target");
    for (const name of [...starts, ...reach]) {
      const label = chosen.includes(name) ? this.labelOf(name) : `${this.labelOf(name)}, ${this.svg.dataset.labelReach}`;
      this.#space(name).setAttribute("aria-label", label);
    }
    for (const name of chosen) this.#space(name).setAttribute("aria-pressed", "true");
    const [first] = [...starts, ...reach];
    if (first && !this.svg.contains(document.activeElement)) this.#rove(this.#space(first));
  }

  /**
   * Mark the spaces where the trail of the last move began and ended; null removes the marks.
   *
   * @param {Trail | null} trail
   */
  markLast(trail) {
    for (const [name, spot] of this.#spots) spot.classList.toggle("last", Boolean(trail?.ends.includes(name)));
  }

  /**
   * Draw the trail of a move; null removes it.
   *
   * @param {Trail | null} trail
   */
  trail(trail) {
    this.trailLayer.replaceChildren();
    if (!trail || this.drawsLines) return;
    for (const [kind, , points] of trail.lines) this.trailLayer.append(element("polyline", { class: kind, points }));
    for (const [cx, cy] of trail.touches) this.trailLayer.append(element("circle", { class: "touch", cx, cy, r: 43 }));
  }

  /**
   * Move the pieces along a trail, on the position before the move.
   *
   * @param {Trail} trail
   */
  async animate(trail) {
    if (still.matches || document.hidden) return;
    for (const [, piece, points] of trail.lines) {
      const duration = STEP_DURATIONS[piece] ?? STEP_DURATIONS.figure;
      await this.#run(this.#piece(piece), points.split(" ").map(pointOf), duration);
    }
  }

  /**
   * Show a roll large over the board for a moment, where its template has room for that.
   *
   * @param {string} html
   * @param {string} sentence
   */
  async showRoll(html, sentence) {
    const layer = this.svg.nextElementSibling;
    if (!(layer instanceof HTMLElement) || !layer.matches(".big-roll") || document.hidden) return;
    layer.innerHTML = html;
    const words = document.createElement("p");
    words.textContent = sentence;
    layer.append(words);
    layer.hidden = false;
    await pause(ROLL_DELAY);
    layer.hidden = true;
  }

  /**
   * Put a figure where it stands, and give it its look: it may have changed what it is, or bear a sign.
   *
   * @param {string} figure
   * @param {Drawing} drawing
   */
  #dress(figure, drawing) {
    const piece = this.#piece(figure);
    const space = drawing.figures[figure];
    const look = drawing.looks[figure];
    const paired = space !== null && Object.values(drawing.figures).filter((other) => other === space).length > 1;
    piece.setAttribute("class", `figure ${figure.split("-")[0]} ${look}${paired ? " paired" : ""}`);
    for (const shape of findAll(piece, "[data-shape]", SVGElement)) {
      shape.setAttribute("href", `${shape.dataset.shape}${look.split(" ")[0]}`);
    }
    this.#put(piece, space);
  }

  /**
   * Show what is counted of each side beside the board.
   *
   * @param {Drawing["tallies"]} tallies
   */
  #drawTallies(tallies) {
    for (const list of findAll(document, "[data-tally]", HTMLElement)) {
      const own = tallies.filter(([side]) => side === list.dataset.tally);
      list.replaceChildren(
        ...own.map(([, kind, text, label]) => {
          const item = document.createElement("li");
          item.className = kind;
          item.textContent = text;
          item.title = label;
          item.setAttribute("aria-label", label);
          return item;
        }),
      );
    }
  }

  /**
   * Draw lines in their order; the latest ones, or else a sketch, stand out.
   *
   * @param {Drawing} drawing
   * @param {Line[]} sketch
   */
  #drawLines({ lines, latest }, sketch = []) {
    const marked = sketch.length ? [] : lines.slice(lines.length - latest);
    this.lineLayer?.replaceChildren(
      ...marked.map((line) => lineElement("marker", line)),
      ...sketch.map((line) => lineElement("marker sketch", line)),
      ...[...lines, ...sketch].map((line) => lineElement(`drawn ${line[0]}`, line)),
    );
  }

  /**
   * @param {string} name
   * @param {string} mark
   */
  #mark(name, mark, active = true) {
    const isJoined = this.#target(name) !== undefined;
    for (const other of isJoined ? [...this.#spots.keys()].filter((it) => this.same(it, name)) : [name]) {
      this.#spot(other).classList.add(mark);
      if (isJoined) this.#spot(other).classList.add("joined");
      if (active) this.#space(other).classList.add("active");
    }
  }

  /** @param {string} name */
  #space(name) {
    return known(this.#spaces, name);
  }

  /** @param {string} name */
  #spot(name) {
    return known(this.#spots, name);
  }

  /** @param {string} name */
  #middleOf(name) {
    return known(this.#middles, name);
  }

  /** @param {string} name */
  #target(name) {
    return this.#spaces.get(name)?.dataset.target;
  }

  /** @param {string} name */
  #piece(name) {
    return name === "ball" ? this.ball : find(this.svg, `[data-figure="${name}"]`, SVGElement);
  }

  /**
   * @param {SVGElement} piece
   * @param {string | null} space
   */
  #put(piece, space) {
    if (space) place(piece, this.#middleOf(space));
    else piece.setAttribute("visibility", "hidden");
  }

  /**
   * @param {SVGElement} piece
   * @param {Point[]} points
   * @param {number} step
   */
  async #run(piece, points, step) {
    const duration = step * (points.length - 1);
    place(piece, points[0]);
    const frames = points.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
    await whileHere(piece.animate(frames, { duration, easing: "ease-in-out", fill: "none" }).finished);
    place(piece, points[points.length - 1]);
  }

  /** @param {Event} event */
  #clicked(event) {
    const space = spaceAt(event);
    if (space) this.onChoose(dataOf(space, "space"));
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const space = spaceAt(event);
    if (!space) return;
    if (ARROWS[event.key]) {
      const turned = this.flipped ? -1 : 1;
      const x = Number(space.dataset.x) + ARROWS[event.key][0] * turned;
      const y = Number(space.dataset.y) + ARROWS[event.key][1] * turned;
      findAll(this.svg, `.space[data-x="${x}"][data-y="${y}"]`, SVGElement)[0]?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.onChoose(dataOf(space, "space"));
    } else if (event.key === "Escape") {
      this.onUndo();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {SVGElement | null} space */
  #rove(space) {
    if (!space) return;
    this.svg.querySelector('.space[tabindex="0"]')?.setAttribute("tabindex", "-1");
    space.setAttribute("tabindex", "0");
  }
}

/**
 * Return what a map has under the name of a space.
 *
 * @template T
 * @param {Map<string, T>} map
 * @param {string} name
 */
const known = (map, name) => {
  const value = map.get(name);
  if (value === undefined) throw new Error(`This board has no space ${name}.`);
  return value;
};

/**
 * Return the space where an event has happened, or null.
 *
 * @param {Event} event
 */
const spaceAt = (event) => findAround(event, ".space", SVGElement);

/**
 * Return the point that is written `x,y`.
 *
 * @param {string} text
 */
const pointOf = (text) => /** @type {Point} */ (text.split(",").map(Number));

/**
 * @param {SVGElement} piece
 * @param {Point} point
 */
const place = (piece, point) => {
  piece.setAttribute("visibility", "visible");
  piece.setAttribute("transform", `translate(${point.join(" ")})`);
};

/** @type {(box: SVGRectElement) => Point} */
const middleOf = ({ x, y, width, height }) => [
  x.baseVal.value + width.baseVal.value / 2,
  y.baseVal.value + height.baseVal.value / 2,
];

/** @type {(kind: string, line: Line) => Element} */
const lineElement = (kind, [, x1, y1, x2, y2]) => element("line", { class: kind, x1, y1, x2, y2 });

/**
 * @param {string} name
 * @param {Record<string, any>} attributes
 */
const element = (name, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};
