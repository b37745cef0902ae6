// Marks the match as busy while something is on its way.

import { byId } from "./page.js";

let tasks = 0;

/**
 * Mark the match as busy until `promise` is settled; several may be pending.
 *
 * @template T
 * @param {Promise<T>} promise
 */
export async function whileBusy(promise) {
  const page = byId("match");
  page.setAttribute("aria-busy", "true");
  tasks += 1;
  try {
    return await promise;
  } finally {
    tasks -= 1;
    if (!tasks) page.removeAttribute("aria-busy");
  }
}
