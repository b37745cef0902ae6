// The page of a pasted record: steps through its match.

import { Board } from "./board.js";
import { Review, markEntry } from "./review.js";
import { showPositionText } from "./position-text.js";

/** @param {string} id */
const byId = (id) => document.getElementById(id);
const { positions, shown, texts } = JSON.parse(byId("page-data").textContent);
completeDrawings(positions);
const strips = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".strip"))];
const board = new Board(document.querySelector(".board"), { onChoose: () => {}, onUndo: () => {} });

/**
 * Complete each position, which comes with what differs from the one before it: its drawing and its sentences.
 *
 * @param {any[]} all
 */
function completeDrawings(all) {
  /** @type {Partial<Drawing>} */
  let drawing = { figures: {}, labels: {}, lines: [] };
  /** @type {string[]} */
  let sentences = [];
  for (const position of all) {
    const { kept = 0, figures, labels, lines, ...changed } = position.drawing;
    drawing = {
      ...drawing,
      ...changed,
      figures: { ...drawing.figures, ...figures },
      labels: { ...drawing.labels, ...labels },
      lines: [...drawing.lines.slice(0, kept), ...lines],
    };
    position.drawing = drawing;
    sentences = position.in_words.map((/** @type {string} */ sentence, /** @type {number} */ at) => sentence ?? sentences[at]);
    position.in_words = sentences;
  }
}

/** @param {number} ply */
function show(ply) {
  const { drawing, trail, score, stage, sentence } = positions[ply];
  board.draw(drawing);
  board.trail(trail);
  board.markLast(trail);
  for (const strip of strips) strip.querySelector("[data-goals]").textContent = score[strip.dataset.side];
  byId("stage").textContent = stage;
  byId("announcer").textContent = [stage, sentence].filter(Boolean).join(". ");
  showPositionText(board, texts.board, positions[ply]);
  if (byId("moves")) markEntry(ply);
}

const review = new Review({
  root: byId("history"),
  load: (ply) => ply,
  total: positions.length - 1,
  shown,
  show: (_, ply) => show(ply),
  leave: () => show(positions.length - 1),
  hasUrls: false,
});

document.addEventListener("click", (event) => {
  /** @type {HTMLElement | null} */
  const entry = (/** @type {Element} */ (event.target)).closest("#moves [data-ply]");
  if (!entry) return;
  event.preventDefault();
  review.go(Number(entry.dataset.ply));
});
byId("flip").addEventListener("click", () => {
  board.turnRound();
  document.querySelector(".stage").classList.toggle("flipped");
});
show(shown);
