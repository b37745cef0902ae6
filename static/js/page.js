// Finds the parts of a page that its script needs. A part that is missing is an error that names it.

/**
 * Return the element with an id.
 *
 * @param {string} id
 */
export const byId = (id) => {
  const element = document.getElementById(id);
  if (!element) throw new Error(`This page has no element with the id ${id}.`);
  return element;
};

/**
 * Return the first element of a type at a selector.
 *
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T}
 */
export const find = (root, selector, type) => {
  const element = root.querySelector(selector);
  if (!(element instanceof type)) throw new Error(`This page has no ${type.name} at ${selector}.`);
  return element;
};

/**
 * Return the elements of a type at a selector.
 *
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T[]}
 */
export const findAll = (root, selector, type) =>
  [...root.querySelectorAll(selector)].flatMap((each) => (each instanceof type ? [each] : []));

/**
 * Return the element of a type at a selector in which an event has happened, or null.
 *
 * @template {Element} T
 * @param {Event} event
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T | null}
 */
export const findAround = ({ target }, selector, type) => {
  const element = target instanceof Element ? target.closest(selector) : null;
  return element instanceof type ? element : null;
};

/**
 * Return the value of an element's `data-` attribute.
 *
 * @param {HTMLElement | SVGElement} element
 * @param {string} name
 */
export const dataOf = (element, name) => {
  const value = element.dataset[name];
  if (value === undefined) throw new Error(`The element ${element.localName} has no data for ${name}.`);
  return value;
};

/**
 * Return the JSON that the server has put into the page.
 *
 * @param {string} id
 */
export const readData = (id) => JSON.parse(byId(id).textContent);
