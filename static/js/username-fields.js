// Suggests usernames in the fields of organisers' forms that have `data-usernames`: a combobox with a list, as WAI-ARIA
// describes it. Arrows choose, Enter takes what is chosen, Escape closes the list. Without it, what is sent is searched.

import { get } from "./api.js";
import { dataOf, findAll, findAround } from "./page.js";

const DELAY = 150;
const MIN_LENGTH = 2;

class UsernameField {
  #asked = 0;
  #chosen = -1;
  #timer = 0;

  /** @param {HTMLInputElement} input */
  constructor(input) {
    this.input = input;
    this.list = document.createElement("ul");
    this.list.id = `${input.id}_usernames`;
    this.list.className = "suggestions";
    this.list.role = "listbox";
    this.list.ariaLabel = input.labels?.[0]?.textContent ?? "";
    this.list.hidden = true;
    const frame = document.createElement("div");
    frame.className = "suggesting";
    const hadFocus = document.activeElement === input;
    input.replaceWith(frame);
    frame.append(input, this.list);
    // Somebody may be typing already when the script comes.
    if (hadFocus) input.focus({ preventScroll: true });
    input.role = "combobox";
    input.ariaAutoComplete = "list";
    input.ariaExpanded = "false";
    input.setAttribute("aria-controls", this.list.id);
    input.addEventListener("input", () => this.#askSoon());
    input.addEventListener("keydown", (event) => this.#press(event));
    input.addEventListener("blur", () => this.#show([]));
    // The field keeps the focus while a name is clicked.
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => {
      const option = findAround(event, "[role=option]", HTMLLIElement);
      if (option) this.#take(option);
    });
  }

  get #options() {
    return findAll(this.list, "[role=option]", HTMLLIElement);
  }

  #askSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), DELAY);
  }

  async #ask() {
    const asked = ++this.#asked;
    const beginning = this.input.value.trim();
    if (beginning.length < MIN_LENGTH || beginning.length > this.input.maxLength) return this.#show([]);
    const query = new URLSearchParams({ beginning });
    // A person who types faster than is allowed gets the rest of the names with the next letters.
    const names = await get(`${dataOf(this.input, "usernames")}?${query}`).catch(() => []);
    if (asked === this.#asked && document.activeElement === this.input) this.#show(names);
  }

  /** @param {string[]} names */
  #show(names) {
    const options = names.map((name, index) => {
      const option = document.createElement("li");
      option.id = `${this.list.id}_${index}`;
      option.role = "option";
      option.ariaSelected = "false";
      option.textContent = name;
      return option;
    });
    this.list.replaceChildren(...options);
    this.list.hidden = !names.length;
    this.input.ariaExpanded = String(!this.list.hidden);
    this.#choose(-1);
  }

  /** @param {number} index */
  #choose(index) {
    this.#chosen = index;
    this.#options.forEach((option, each) => (option.ariaSelected = String(each === index)));
    const option = this.#options[index];
    if (option) this.input.setAttribute("aria-activedescendant", option.id);
    else this.input.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }

  /** Close the list, also for names that are still to be asked for or to come. */
  #close() {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.#show([]);
  }

  /** @param {HTMLLIElement} option */
  #take(option) {
    this.input.value = option.textContent;
    this.#close();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const options = this.#options;
    if (this.list.hidden) return;
    const places = options.length + 1;
    // Before the first and after the last name nothing is chosen, and what was typed stands.
    if (event.key === "ArrowDown") this.#choose(((this.#chosen + 2) % places) - 1);
    else if (event.key === "ArrowUp") this.#choose(((this.#chosen + places) % places) - 1);
    else if (event.key === "Escape") this.#close();
    else if (event.key === "Enter" && this.#chosen >= 0) this.#take(options[this.#chosen]);
    else return;
    event.preventDefault();
  }
}

for (const input of findAll(document, "input[data-usernames]", HTMLInputElement)) new UsernameField(input);
