// Answers that the player gives beforehand: tried on the board, while it is the opponent's turn, and sent by a form.

import { get } from "./api.js";
import { whileBusy } from "./busy.js";
import { Composer } from "./composer.js";
import { FetchedPart } from "./fetched-part.js";
import { here } from "./here.js";
import { dataOf, find, findAll, findAround } from "./page.js";

const part = new FetchedPart("beforehand");
const shown = () => part.shown;

export class Beforehand {
  /** @type {import("./match-state.js").MatchState} */ state;
  /** @type {import("./board.js").Board} */ board;
  /** @type {Urls} */ urls;
  /** @type {(words: string) => void} */ say;
  /** @type {() => unknown} */ onBegin;
  /** @type {() => void} */ onEnd;
  /** @type {(error: unknown) => void} */ onRefusal;

  /** @type {Composer | null} */ #composer = null;

  /**
   * `onBegin()` is called before something is tried on the board, `onEnd()` when the board is to show the match again.
   *
   * @param {Pick<Beforehand, "state" | "board" | "urls" | "say" | "onBegin" | "onEnd" | "onRefusal">} parts
   */
  constructor(parts) {
    Object.assign(this, parts);
    document.addEventListener("click", (event) => {
      const button = findAround(event, "#beforehand [data-try]", HTMLButtonElement);
      if (button) this.#begin(dataOf(button, "try")).catch(this.onRefusal);
      else if (findAround(event, "#beforehand [data-undo]", HTMLButtonElement)) this.undo();
      else if (findAround(event, "#beforehand [data-cancel]", HTMLButtonElement)) this.#cancel();
    }, { signal: here() });
    this.#offer();
  }

  /** Whether the board is used for trying. */
  get active() {
    return this.#composer !== null;
  }

  /**
   * Pass on a space that was chosen on the board.
   *
   * @param {string} space
   */
  async choose(space) {
    find(document, "#beforehand [data-save]", HTMLButtonElement).disabled = true;
    await whileBusy(this.#composer?.choose(space) ?? Promise.resolve(false));
    this.#show();
    this.say([this.board.labelOf(space), this.#guide()].filter(Boolean).join(". "));
  }

  /** Take back what was tried last. */
  undo() {
    this.#composer?.undo();
  }

  /** Try nothing any more: the board shows something else. */
  stop() {
    this.#composer?.stop();
    this.#composer = null;
    this.#offer();
  }

  /** Show what stands, and what can be given, after news of the match. */
  async follow() {
    const stale = shown();
    if (!stale) return;
    this.stop();
    // Who has given nothing can give nothing either until the opponent is to act.
    if (this.state.mine && stale.dataset.given === undefined) {
      stale.hidden = true;
      return;
    }
    await part.refresh();
    this.#offer();
  }

  /** @param {string} kind */
  async #begin(kind) {
    this.stop();
    await this.onBegin();
    const url = `${this.urls.ahead}${kind}/`;
    const { steps, drawing, task, turn } = await whileBusy(get(url));
    const composer = new Composer({
      board: this.board,
      side: turn,
      urls: { ...this.urls, ahead: url },
      onChange: () => this.#show(),
      onRefusal: this.onRefusal,
    });
    this.#composer = composer;
    this.board.draw(drawing);
    this.board.trail(null);
    this.board.markLast(null);
    composer.begin({ ...this.state, steps, drawing, placing: null, match: { ...this.state.match, task } });
    const select = shown()?.querySelector("select");
    if (select) select.value = kind;
    this.#show();
    this.board.svg.scrollIntoView({ block: "nearest" });
    this.say(this.#guide());
  }

  #cancel() {
    this.stop();
    this.onEnd();
  }

  /** What to do next, in words. */
  #guide() {
    const box = shown();
    if (!this.#composer || !box) return "";
    if (this.#composer.ready) return "";
    const theirs = this.#composer.acting !== this.state.match.you;
    return theirs ? dataOf(box, "theirs") : `${dataOf(box, "yours")} ${this.#composer.guidance.task ?? this.state.match.task}`;
  }

  #show() {
    const box = shown();
    if (!box || !this.#composer) return;
    const { played, begun } = this.#composer;
    find(box, "[name=texts]", HTMLInputElement).value = played.map(({ text }) => text).join(" ");
    find(box, "[data-guide]", HTMLElement).textContent = this.#guide();
    find(box, "[data-save]", HTMLButtonElement).disabled = played.at(-1)?.side !== this.state.match.you;
    find(box, "[data-undo]", HTMLButtonElement).hidden = !begun;
    find(box, "[data-cancel]", HTMLButtonElement).hidden = false;
    box.classList.add("on");
    for (const button of findAll(box, "[data-try]", HTMLButtonElement)) button.hidden = true;
  }

  /** Offer to try: with a script the form is hidden until then, as the board fills it in. */
  #offer() {
    const box = shown();
    if (!box) return;
    box.classList.add("scripted");
    box.classList.remove("on");
    for (const button of findAll(box, "[data-try]", HTMLButtonElement)) button.hidden = false;
  }
}
