// The panel beside the board: whose turn it is, the last rolls, what to do, one button to do it, and refusals.

import { byId, find } from "./page.js";

/**
 * Replace the `{names}` in a text by values.
 *
 * @param {string} text
 * @param {Record<string, any>} values
 */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

/**
 * Return the sentence about what to do next: a text of the page, or else the server's.
 *
 * @param {Texts} texts
 * @param {Guidance} guidance
 * @returns {string | undefined}
 */
export const textOf = (texts, { key, task }) => (key ? texts[key] : undefined) ?? task;

/**
 * Return the name of the player to act, or "" once the match is over.
 *
 * @param {Match} match
 */
const actorOf = ({ players, turn }) => (turn ? players[turn].username : "");

export class Panel {
  #playing = !byId("action").hidden;
  /** @type {RefusedInput | null} */ #refusal = null;

  /** @param {Texts} texts */
  constructor(texts) {
    this.texts = texts;
  }

  /**
   * Say how things stand; `mine` says whose turn it is, also while a past position is looked at (`past`). `guidance` is
   * `{task}` or `{key}` of one of the texts, `image` that of the figure to be placed, or null, `choices` what a button each
   * plays.
   *
   * @param {{match: Match, mine: boolean, past: boolean, guidance: Guidance, image: SVGElement | null,
   *   ready: string[] | null, choices: Step[], begun: boolean, busy: boolean}} shown
   */
  show({ match, mine, past, guidance, image, ready, choices, begun, busy }) {
    const acting = mine && !past;
    const playing = match.status === "playing";
    this.#playing = playing;
    this.#settle();
    byId("action-title").textContent = playing ? `${this.#headline(match, mine)} · ${match.stage}` : this.texts.over;
    byId("task").textContent = acting ? this.#guide(match, guidance, busy) : this.#waiting(match);
    this.#showNext(acting && !busy ? image : null);
    byId("confirm").hidden = !ready;
    byId("confirm").setAttribute("aria-disabled", String(busy));
    if (ready) byId("confirm").replaceChildren(...this.#button(ready));
    byId("undo").hidden = !begun || busy;
    byId("turn-buttons").hidden = !ready && !begun;
    this.#showChoices(acting && !busy ? choices : []);
    byId("typing").hidden = !acting;
    find(byId("typed"), "[name=ply]", HTMLInputElement).value = String(match.ply);
  }

  /** Show the rolls that belong to what is to be done now, which come with the panels. */
  rolled(rolling = false) {
    const { content } = find(document, "#rolls", HTMLTemplateElement);
    byId("dice").replaceChildren(content.cloneNode(true));
    for (const roll of byId("dice").children) roll.classList.toggle("rolling", rolling);
  }

  /** Show no rolls: what they were for is done, and what came then is still to be shown. */
  clearRolls() {
    byId("dice").replaceChildren();
  }

  /**
   * Show why something was refused: `{rule, message}`; null takes it away.
   *
   * @param {RefusedInput | null} refusal
   */
  refuse(refusal) {
    this.#refusal = refusal;
    const line = byId("refusal");
    line.hidden = !refusal;
    this.#settle();
    line.replaceChildren();
    if (!refusal) return;
    if (refusal.rule) {
      const rule = document.createElement("b");
      rule.textContent = refusal.rule;
      line.append(rule, " ");
    }
    line.append(refusal.message);
  }

  /**
   * Take a refusal away, if it is the one that is shown.
   *
   * @param {RefusedInput} refusal
   */
  forgive(refusal) {
    if (this.#refusal === refusal) this.refuse(null);
  }

  /**
   * Let screen readers say `text`.
   *
   * @param {string} text
   */
  say(text) {
    byId("announcer").textContent = text;
  }

  /**
   * Show the figure that is to be put on the board next.
   *
   * @param {SVGElement | null} image
   */
  #showNext(image) {
    const box = byId("next-figure");
    box.toggleAttribute("hidden", !image);
    box.replaceChildren(...(image ? [image] : []));
  }

  /** After the end there is only something to show while something was refused, or the past is looked at. */
  #settle() {
    byId("action").hidden = !this.#playing && byId("refusal").hidden && byId("review").hidden;
  }

  /**
   * @param {Match} match
   * @param {Guidance} guidance
   * @param {boolean} busy
   */
  #guide(match, guidance, busy) {
    return busy ? this.texts.sending : textOf(this.texts, guidance) ?? match.task;
  }

  /** @param {Match} match */
  #waiting(match) {
    if (match.status !== "playing") return "";
    if (match.paused_at) return this.texts.paused;
    return fill(this.texts.follows, { name: actorOf(match) });
  }

  /**
   * @param {Match} match
   * @param {boolean} mine
   */
  #headline(match, mine) {
    return mine ? this.texts.yours : fill(this.texts.theirs, { name: actorOf(match) });
  }

  /**
   * Show a button for each step that has no space.
   *
   * @param {Step[]} choices
   */
  #showChoices(choices) {
    const box = byId("choices");
    box.hidden = !choices.length;
    box.replaceChildren(
      ...choices.map(({ text, label }) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "button primary";
        button.dataset.text = text;
        button.textContent = label;
        return button;
      }),
    );
  }

  /** @param {string[]} actions */
  #button(actions) {
    const move = document.createElement("span");
    move.className = "mono";
    move.textContent = actions.join(" ");
    const [before, after] = this.texts.play.split("{move}");
    return [before, move, after];
  }
}
