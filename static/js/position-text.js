// The position in words, for those who do not see the board.

import { byId } from "./page.js";
import { fill } from "./panel.js";

/**
 * Name the board by `text`, which has the position's `{stage}` and score, and list the position's sentences beside it.
 *
 * @param {import("./board.js").Board} board
 * @param {string} text
 * @param {Pick<Position, "stage" | "score" | "in_words">} position
 */
export function showPositionText(board, text, { stage, score, in_words: sentences }) {
  board.svg.setAttribute("aria-label", fill(text, { stage, ...score }));
  byId("in-words").replaceChildren(
    ...sentences.map((sentence) => {
      const line = document.createElement("li");
      line.textContent = sentence;
      return line;
    }),
  );
}
