// Exchanges what differs in a part of a page, and leaves everything else as it is: rows that are read stay where they are.

/**
 * Make an element like a `fresh` one. What readers have opened or closed stays so.
 *
 * Children with a key are the same as those with this key before. As few as possible are moved: what is moved loses the
 * focus and what is selected in it.
 *
 * @param {Element} stale
 * @param {Element} fresh
 */
export const exchange = (stale, fresh) => {
  exchangeAttributes(stale, fresh);
  const known = new Map([...stale.childNodes].map((node) => [keyOf(node), node]));
  const wanted = new Set([...fresh.childNodes].map(keyOf));
  /** @param {ChildNode} node */
  const isWanted = (node) => keyOf(node) !== "" && wanted.has(keyOf(node));
  let next = stale.firstChild;
  for (const child of [...fresh.childNodes]) {
    const key = keyOf(child);
    const same = key === "" ? null : known.get(key);
    known.delete(key);
    while (same && next && next !== same && (!isWanted(next) || isJustBefore(next, same, isWanted))) {
      const after = next.nextSibling;
      next.remove();
      next = after;
    }
    if (same) {
      if (next !== same) stale.insertBefore(same, next);
      else next = next.nextSibling;
      exchangeNode(same, child);
    } else if (next && !isWanted(next) && areSame(next, child)) {
      const after = next.nextSibling;
      exchangeNode(next, child);
      next = after;
    } else {
      stale.insertBefore(child, next);
    }
  }
  while (next) {
    const after = next.nextSibling;
    next.remove();
    next = after;
  }
};

/**
 * Return by what a node is known: its id, or that of its heading, or "".
 *
 * @param {Node} node
 */
const keyOf = (node) => {
  if (!(node instanceof Element)) return "";
  return node.id || (node.hasAttribute("aria-labelledby") ? `by ${node.getAttribute("aria-labelledby")}` : "");
};

/**
 * Return whether the next wanted node after `node` is `same`: then `node` itself has gone down, and nothing else has to move.
 *
 * @param {ChildNode} node
 * @param {ChildNode} same
 * @param {(node: ChildNode) => boolean} isWanted
 */
const isJustBefore = (node, same, isWanted) => {
  let after = node.nextSibling;
  while (after && after !== same && !isWanted(after)) after = after.nextSibling;
  return after === same;
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
 * Return whether one node can become like the other: both are texts, or elements with the same name and without a key.
 *
 * @param {ChildNode} stale
 * @param {Node} fresh
 */
const areSame = (stale, fresh) => stale.nodeName === fresh.nodeName && keyOf(stale) === keyOf(fresh);

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
