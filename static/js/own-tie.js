// The script of brackets: a large one opens at the reader's own tie, unless the URL names another place.

const frame = /** @type {HTMLElement} */ (document.querySelector(".bracket-frame[data-own]"));
const box = document.getElementById(String(frame.dataset.own));

if (box && !location.hash) {
  const own = box.getBoundingClientRect();
  const shown = frame.getBoundingClientRect();
  frame.scrollTo(
    own.left - shown.left - (shown.width - own.width) / 2,
    own.top - shown.top - (shown.height - own.height) / 2,
  );
}
