// Opens a match as soon as somebody has taken the player's game; shows a notice where opening it would disturb.

/**
 * Open taken games on a page with `data-leads`, unless somebody is filling in a form on it; else show the notice.
 *
 * @param {EventStream} stream
 */
export const followTakenGames = (stream) => {
  const leads = document.querySelector("[data-leads]") !== null;
  const notice = document.getElementById("taken");
  /** @param {number} match */
  const urlOf = (match) => notice.dataset.url.replace("/0/", `/${match}/`);

  const rows = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-own-seek]"));
  const waiting = [...rows].map((row) => Number(row.dataset.ownSeek));
  stream.join({ leads, waiting });
  if (leads) document.addEventListener("input", () => stream.join({ leads: false }), { once: true });

  notice.querySelector("button").addEventListener("click", () => { notice.hidden = true; });
  stream.addEventListener("taken", ({ detail: { match, isLed, isSeen } }) => {
    if (isLed) {
      location.assign(urlOf(match));
    } else if (!isSeen) {
      notice.querySelector("a").href = urlOf(match);
      notice.hidden = false;
      notice.querySelector("[role=status]").textContent = notice.dataset.text;
    }
  });
};
