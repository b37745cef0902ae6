// Keeping the focus where a person has it while a part of the page is exchanged.

/**
 * Let `exchange()` put other content into `box`. What had the focus there has it again, if it is still there, and what was
 * opened stays open. False if what had the focus is gone.
 */
export function keepPlace(box, exchange) {
  const focused = box.contains(document.activeElement) ? selectorOf(document.activeElement) : null;
  const opened = [...box.querySelectorAll("details[open][id]")].map(selectorOf);
  const fresh = exchange() ?? box;
  for (const details of opened) fresh.querySelector(details)?.setAttribute("open", "");
  if (!focused) return true;
  const again = fresh.matches(focused) ? fresh : fresh.querySelector(focused);
  again?.focus({ preventScroll: true });
  return Boolean(again);
}

/** What finds an element again: its id, where it leads, or else of which kind it is within what has an id. */
function selectorOf(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  const href = element.getAttribute("href");
  if (href) return `a[href="${CSS.escape(href)}"]`;
  const holder = element.closest("[id]");
  return `#${CSS.escape(holder.id)} ${element.localName}`;
}
