// The page of a pasted record: steps through its match.

import { Board } from "./board.js";
import { completeDrawing, completeSentences } from "./drawings.js";
import { byId, dataOf, find, findAll, findAround, readData } from "./page.js";
import { Review, markEntry } from "./review.js";
import { showPositionText } from "./position-text.js";

const { positions, shown, texts } = readData("page-data");
completePositions(positions);
const strips = findAll(document, ".strip", HTMLElement);
const board = new Board(find(document, ".board", SVGSVGElement), { onChoose: () => {}, onUndo: () => {} });

/**
 * Complete each position, which comes with what differs from the one before it: its drawing and its sentences.
 *
 * @param {any[]} all
 */
function completePositions([first, ...others]) {
  let { drawing, in_words: sentences } = first;
  for (const position of others) {
    drawing = position.drawing = completeDrawing(drawing, position.drawing);
    sentences = position.in_words = completeSentences(sentences, position.in_words);
  }
}

/** @param {number} ply */
function show(ply) {
  const { drawing, trail, score, stage, sentence } = positions[ply];
  board.draw(drawing);
  board.trail(trail);
  board.markLast(trail);
  for (const strip of strips) find(strip, "[data-goals]", HTMLElement).textContent = score[dataOf(strip, "side")];
  byId("stage").textContent = stage;
  byId("announcer").textContent = [stage, sentence].filter(Boolean).join(". ");
  showPositionText(board, texts.board, positions[ply]);
  markEntry(ply);
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
  const entry = findAround(event, "#moves [data-ply]", HTMLElement);
  if (!entry) return;
  event.preventDefault();
  review.go(Number(dataOf(entry, "ply")));
});
byId("flip").addEventListener("click", () => {
  board.turnRound();
  find(document, ".stage", HTMLElement).classList.toggle("flipped");
});
show(shown);
