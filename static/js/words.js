// Says in words what the board shows, for those who do not see it.

import { write } from "./panel.js";

/** Name the board after a position, by a text with its `{stage}` and score, and list the position's sentences beside it. */
export function putInWords(board, text, { stage, score, in_words: sentences }) {
  board.svg.setAttribute("aria-label", write(text, { stage, ...score }));
  document.getElementById("in-words").replaceChildren(
    ...sentences.map((sentence) => {
      const line = document.createElement("li");
      line.textContent = sentence;
      return line;
    }),
  );
}
