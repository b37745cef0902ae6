// The page of a pasted record: steps through its match.

import { Board } from "./board.js";
import { Review, markEntry } from "./review.js";
import { showPositionText } from "./position-text.js";

const byId = (id) => document.getElementById(id);
const { positions, shown, texts } = JSON.parse(byId("page-data").textContent);
completePictures(positions);
const strips = [...document.querySelectorAll(".strip")];
const board = new Board(document.querySelector(".board"), { onChoose: () => {}, onUndo: () => {} });

/** Each position comes with what differs from the one before it; put whole pictures and all sentences in their place. */
function completePictures(all) {
  let before = { segments: [] };
  let told = [];
  for (const position of all) {
    const { kept, added, ...changed } = position.picture;
    before = { ...before, ...changed, segments: [...before.segments.slice(0, kept), ...added] };
    position.picture = before;
    told = position.in_words.map((sentence, at) => sentence ?? told[at]);
    position.in_words = told;
  }
}

function show(ply) {
  const { picture, route, actor, score, stage, sentence } = positions[ply];
  board.draw(picture);
  board.trail(route, actor);
  board.markLast(route);
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
  const entry = event.target.closest("#moves [data-ply]");
  if (!entry) return;
  event.preventDefault();
  review.go(Number(entry.dataset.ply));
});
byId("flip").addEventListener("click", () => {
  board.turnRound();
  document.querySelector(".stage").classList.toggle("flipped");
});
show(shown);
