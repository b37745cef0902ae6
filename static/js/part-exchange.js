// Exchanges what differs in a part of a page, and leaves everything else as it is: rows that are read stay where they are.

/**
 * Make an element like a `fresh` one with the same id. What readers have opened or closed stays so.
 *
 * @param {Element} stale
 * @param {Element} fresh
 */
export const exchange = (stale, fresh) => {
  exchangeAttributes(stale, fresh);
  let next = stale.firstChild;
  for (const child of [...fresh.childNodes]) {
    const moved = child instanceof Element && child.id ? stale.querySelector(`:scope > #${CSS.escape(child.id)}`) : null;
    if (moved && moved !== next) {
      stale.insertBefore(moved, next);
      next = moved;
    }
    const after = next?.nextSibling ?? null;
    if (!next) stale.append(child);
    else if (areSame(next, child)) exchangeNode(next, child);
    else next.replaceWith(child);
    next = after;
  }
  while (next) {
    const after = next.nextSibling;
    next.remove();
    next = after;
  }
};

/**
 * @param {Node} stale
 * @param {Node} fresh
 */
const exchangeNode = (stale, fresh) => {
  if (stale.isEqualNode(fresh)) return;
  if (stale instanceof Element && fresh instanceof Element) exchange(stale, fresh);
  else stale.nodeValue = fresh.nodeValue;
};

/**
 * Return whether one node can become like the other: both are texts, or elements with the same name and id.
 *
 * @param {ChildNode} stale
 * @param {Node} fresh
 */
const areSame = (stale, fresh) =>
  stale.nodeName === fresh.nodeName && (!(stale instanceof Element && fresh instanceof Element) || stale.id === fresh.id);

/**
 * @param {Element} stale
 * @param {Element} fresh
 */
const exchangeAttributes = (stale, fresh) => {
  for (const name of stale.getAttributeNames()) {
    if (name !== "open" && !fresh.hasAttribute(name)) stale.removeAttribute(name);
  }
  for (const name of fresh.getAttributeNames()) {
    const value = fresh.getAttribute(name) ?? "";
    if (name !== "open" && stale.getAttribute(name) !== value) stale.setAttribute(name, value);
  }
};
