// Says on every page how many matches wait for the player: in the header, in the title, and by a dot on the icon.

const NUMBER = /^\(\d+\) /;

/** Show what `stream` tells of the turns. */
export const followTurns = (stream) => {
  const badge = document.getElementById("turns");
  const icon = document.getElementById("icon");
  stream.addEventListener("turns", ({ detail: { count, label } }) => {
    badge.hidden = !count;
    badge.textContent = label;
    document.title = `${count ? `(${count}) ` : ""}${document.title.replace(NUMBER, "")}`;
    const wanted = count ? icon.dataset.turn : icon.dataset.still;
    if (icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
  });
};
