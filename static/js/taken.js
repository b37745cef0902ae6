// Leads whoever waits for an opponent to the match as soon as the game is taken; says so where that would disturb.

/** Follow what `stream` tells. A page with `data-leads` leads there itself, unless somebody is filling in a form on it. */
export const followTaken = (stream) => {
  const leads = document.querySelector("[data-leads]") !== null;
  const notice = document.getElementById("taken");
  const addressOf = (match) => notice.dataset.address.replace("/0/", `/${match}/`);

  const waiting = [...document.querySelectorAll("[data-own-seek]")].map((row) => Number(row.dataset.ownSeek));
  stream.join({ leads, waiting });
  if (leads) document.addEventListener("input", () => stream.join({ leads: false }), { once: true });

  notice.querySelector("button").addEventListener("click", () => { notice.hidden = true; });
  stream.addEventListener("taken", ({ detail: { match, isLed, isSeen } }) => {
    if (isLed) {
      location.assign(addressOf(match));
    } else if (!isSeen) {
      notice.querySelector("a").href = addressOf(match);
      notice.hidden = false;
      notice.querySelector("[role=status]").textContent = notice.dataset.text;
    }
  });
};
