// Leads on from a match to the player's next one: by links and the badge, and by itself where the player wants that.

import { here } from "./here.js";
import { byId, dataOf, find, findAll } from "./page.js";
import { fill } from "./panel.js";

const DELAY = 3000;

const links = () => findAll(document, "[data-lead-on]", HTMLAnchorElement);
const words = () => findAll(document, "[data-leading]", HTMLElement);
const visible = () => links().find((link) => link.checkVisibility());

export class LeadOn {
  /** How many other matches wait. */
  #more = Number(dataOf(find(document, "[data-lead-on]", HTMLAnchorElement), "leadOn"));
  #isOwnTurn = false;
  #isWanted = false;
  #timer = 0;

  /**
   * `stream` brings how many matches wait for the player.
   *
   * @param {EventStream} stream
   */
  constructor(stream) {
    const signal = here();
    stream.addEventListener("turns", ({ detail: { count } }) => {
      this.#more = count - Number(this.#isOwnTurn);
      this.#draw();
    }, { signal });
    byId("turns").addEventListener("click", (event) => {
      const link = visible();
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      link.click();
    }, { signal });
    for (const input of ["pointerdown", "keydown", "click"]) addEventListener(input, () => this.#stay(), { capture: true, signal });
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  /**
   * Show where it leads: on from a turn that has been played, or past the player's own turn.
   *
   * @param {boolean} isOwnTurn
   */
  show(isOwnTurn) {
    this.#isOwnTurn = isOwnTurn;
    this.#draw();
  }

  /** Go on by itself after a while, if the player wants that and no key or finger says otherwise. */
  begin() {
    // It may not be known yet that another match waits: what was counted meanwhile may have counted this turn as played.
    this.#isWanted = words().some(({ dataset }) => "goesOn" in dataset);
    this.#draw();
  }

  #lead() {
    this.#timer = setTimeout(() => {
      const link = visible();
      this.#stay();
      link?.click();
    }, DELAY);
    this.#say((place) => dataOf(place, "leading"));
  }

  #stay() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#isWanted = false;
    this.#say(() => "");
  }

  /** @param {(place: HTMLElement) => string} textFor */
  #say(textFor) {
    for (const place of words()) place.textContent = textFor(place);
    for (const button of findAll(document, "[data-stay]", HTMLElement)) button.hidden = !this.#timer;
  }

  #draw() {
    if (this.#isOwnTurn) this.#stay();
    const kind = this.#isOwnTurn ? "skip" : "next";
    for (const link of links()) {
      link.hidden = !this.#more;
      link.href = dataOf(link, `${kind}Url`);
      link.textContent = fill(dataOf(link, kind), { count: this.#more });
      link.classList.toggle("primary", !this.#isOwnTurn);
    }
    if (this.#isWanted && this.#more && !this.#timer) this.#lead();
  }
}
