// Requests to this site's API, and its refusals as errors. They end with the content for which they were made.

import { pause, whileHere } from "./here.js";

/** A refusal by the server: its `status` and `code`, a sentence as `message`, and the broken `rule`, or "". */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {{detail?: string, title?: string, code?: string, rule?: string}} problem
   */
  constructor(status, problem) {
    super(problem.detail || problem.title || String(status));
    this.status = status;
    this.code = problem.code || "";
    this.rule = problem.rule || "";
  }
}

const UNATTENDED_TIMEOUT = 60 * 1000;
const RETRY_INTERVAL = 2000;

let lastInput = Date.now();
for (const input of ["pointerdown", "keydown"]) {
  addEventListener(input, () => (lastInput = Date.now()), { capture: true, passive: true });
}

/**
 * Return a header that keeps the player from counting as present when nobody has used the page for a while.
 *
 * @returns {Record<string, string>}
 */
const attendance = () => (Date.now() - lastInput > UNATTENDED_TIMEOUT ? { "X-Unattended": "1" } : {});

/**
 * Let the player count as present at a page that shows what came by itself, if somebody has used it lately.
 *
 * @param {string} url
 */
export const attend = (url) => {
  const headers = attendance();
  if (!("X-Unattended" in headers)) fetch(url, { method: "HEAD", cache: "no-store" }).catch(() => {});
};

const csrfToken = () =>
  /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"))?.value ?? "";

/**
 * Return what `read` makes of the answer to a request; throw a `Refusal`.
 *
 * @template T
 * @param {string | URL} url
 * @param {RequestInit} request
 * @param {(response: Response) => Promise<T>} read
 */
const ask = (url, request, read) =>
  whileHere(
    fetch(url, request).then(async (response) => {
      if (!response.ok) throw await refusalOf(response);
      return read(response);
    }),
  );

/** @param {Response} response */
const refusalOf = async (response) => {
  const problem = await response.json().catch(() => ({}));
  return new Refusal(response.status, problem);
};

/**
 * Resolve as soon as the server answers at `url`, whatever the answer is.
 *
 * @param {string} url
 */
export const waitUntilReached = async (url) => {
  for (;;) {
    await pause(RETRY_INTERVAL);
    try {
      await whileHere(fetch(url, { method: "HEAD", headers: { "X-Unattended": "1" }, cache: "no-store" }));
      return;
    } catch {
      // The server still cannot be reached.
    }
  }
};

/**
 * Return the JSON at `url`; throw a `Refusal`.
 *
 * @param {string} url
 */
export const get = (url) =>
  ask(url, { headers: { Accept: "application/json", ...attendance() } }, (response) => response.json());

/**
 * Post `body` to `url`, with more `headers`, and return the JSON answer; throw a `Refusal`.
 *
 * @param {string} url
 * @param {object} body
 * @param {Record<string, string>} headers
 */
export const post = (url, body, headers = {}) => send("POST", url, body, headers);

/**
 * Change the resource at `url` by `body`, and return the JSON answer; throw a `Refusal`.
 *
 * @param {string} url
 * @param {object} body
 */
export const patch = (url, body) => send("PATCH", url, body);

/**
 * @param {string} method
 * @param {string} url
 * @param {object} body
 * @param {Record<string, string>} headers
 */
const send = (method, url, body, headers = {}) => {
  const own = { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": csrfToken(), ...headers };
  return ask(url, { method, headers: own, body: JSON.stringify(body) }, (response) => response.json());
};

/**
 * Return the HTML fragment at `url`; throw a `Refusal`.
 *
 * @param {string | URL} url
 */
export const getFragment = (url) =>
  ask(url, { headers: { Accept: "text/html", ...attendance() } }, (response) => response.text());

/**
 * Return a page at `url` without what is around its content, as HTML, with the `url` at which it was found; throw a `Refusal`.
 *
 * @param {string} url
 */
export const getContent = (url) =>
  ask(url, { headers: { Accept: "text/html", "X-Fragment": "1", ...attendance() } }, async (response) => ({
    html: await response.text(),
    url: response.url,
  }));
