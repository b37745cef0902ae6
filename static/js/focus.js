// Keeps the focus in its place while a part of the page is exchanged.

/**
 * Call `exchange()`, which puts other content into `box`. Then focus the element that had the focus, and keep open what was
 * opened. Return false if the element that had the focus is gone.
 *
 * @param {Element} box
 * @param {() => void | Element} exchange
 */
export function keepPlace(box, exchange) {
  const active = document.activeElement;
  const focused = active && box.contains(active) ? selectorOf(active) : null;
  const opened = [...box.querySelectorAll("details[open][id]")].map(selectorOf);
  const fresh = exchange() ?? box;
  for (const details of opened) fresh.querySelector(details)?.setAttribute("open", "");
  if (!focused || document.activeElement === active) return true;
  const again = fresh.matches(focused) ? fresh : fresh.querySelector(focused);
  if (!(again instanceof HTMLElement || again instanceof SVGElement)) return false;
  again.focus({ preventScroll: true });
  return true;
}

/**
 * Return a selector for an element: by its id, by its link, or else by its name inside the nearest element with an id.
 *
 * @param {Element} element
 */
function selectorOf(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  const href = element.getAttribute("href");
  if (href) return `a[href="${CSS.escape(href)}"]`;
  const holder = element.closest("[id]");
  return holder ? `#${CSS.escape(holder.id)} ${element.localName}` : element.localName;
}
