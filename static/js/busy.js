// Marks the match as busy while something is on its way.

import { byId } from "./page.js";

/** @type {WeakMap<HTMLElement, number>} */
const tasks = new WeakMap();

/**
 * Mark the match as busy until `promise` is settled; several may be pending.
 *
 * @template T
 * @param {Promise<T>} promise
 */
export async function whileBusy(promise) {
  const page = byId("match");
  page.setAttribute("aria-busy", "true");
  tasks.set(page, (tasks.get(page) ?? 0) + 1);
  try {
    return await promise;
  } finally {
    const others = (tasks.get(page) ?? 0) - 1;
    tasks.set(page, others);
    if (!others) page.removeAttribute("aria-busy");
  }
}
