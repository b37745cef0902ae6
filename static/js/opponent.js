// Whether the opponent in a live match is connected, as the event stream says: beside their name, since when they are not.

import { here } from "./here.js";
import { dataOf, find } from "./page.js";

const clock = new Intl.DateTimeFormat(document.documentElement.lang || "en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/**
 * Show in `strips` what the stream tells of the opponent in `match`; `text` has `{time}`, and `say()` is told of changes.
 *
 * @param {{stream: EventStream, match: number, strips: HTMLElement[], texts: Texts, say: (words: string) => void}} parts
 */
export const followOpponent = ({ stream, match, strips, texts, say }) => {
  stream.addEventListener("connection", ({ detail }) => {
    const strip = strips.find((each) => dataOf(each, "side") === detail.side);
    if (detail.match !== match || !strip) return;
    const place = find(strip, "[data-connection]", HTMLElement);
    const words = detail.gone_since ? texts.gone.replace("{time}", clock.format(new Date(detail.gone_since))) : "";
    if (place.textContent === words) return;
    place.textContent = words;
    say(`${find(strip, ".name a", HTMLElement).textContent}: ${words || texts.back}`);
  }, { signal: here() });
};
