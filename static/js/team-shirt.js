// Shows the shirt of a team as it is being chosen, beside the fields that say it in words. Without it the shirt is seen
// on the page of the team.

import { dataOf, find, findAll } from "./page.js";

const template = find(document, "#shirts", HTMLTemplateElement);
const form = find(document, "form:has(#shirts)", HTMLFormElement);
const shirts = findAll(template.content, "[data-pattern]", HTMLElement);
const preview = document.createElement("div");

const show = () => {
  const chosen = new FormData(form);
  const shirt = shirts.find((each) => dataOf(each, "pattern") === chosen.get("pattern"));
  preview.replaceChildren(...(shirt ? [shirt] : []));
  const colours = `first-${chosen.get("first_colour")} second-${chosen.get("second_colour")}`;
  shirt?.firstElementChild?.setAttribute("class", `shirt team-shirt ${colours}`);
};

template.after(preview);
form.addEventListener("input", show);
// Browsers fill in again what was chosen when somebody comes back to the page.
window.addEventListener("pageshow", show);
show();
