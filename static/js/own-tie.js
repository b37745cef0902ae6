// The script of brackets: a large one opens at the reader's own tie, unless the URL names another place.

import { dataOf, find } from "./page.js";

const frame = find(document, ".bracket-frame[data-own]", HTMLElement);
const box = document.getElementById(dataOf(frame, "own"));

if (box && !location.hash) {
  const own = box.getBoundingClientRect();
  const shown = frame.getBoundingClientRect();
  frame.scrollTo(
    own.left - shown.left - (shown.width - own.width) / 2,
    own.top - shown.top - (shown.height - own.height) / 2,
  );
}
