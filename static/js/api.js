// Requests to this site's API, and its refusals as errors.

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
    await new Promise((done) => setTimeout(done, RETRY_INTERVAL));
    try {
      await fetch(url, { method: "HEAD", headers: { "X-Unattended": "1" }, cache: "no-store" });
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
export const get = async (url) => {
  const response = await fetch(url, { headers: { Accept: "application/json", ...attendance() } });
  if (!response.ok) throw await refusalOf(response);
  return response.json();
};

/**
 * Post `body` to `url`, with more `headers`, and return the JSON answer; throw a `Refusal`.
 *
 * @param {string} url
 * @param {object} body
 * @param {Record<string, string>} headers
 */
export const post = async (url, body, headers = {}) => {
  const response = await fetch(url, {
    method: "POST",
    headers: { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": csrfToken(), ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw await refusalOf(response);
  return response.json();
};

/**
 * Return the HTML fragment at `url`; throw a `Refusal`.
 *
 * @param {string | URL} url
 */
export const getFragment = async (url) => {
  const response = await fetch(url, { headers: { Accept: "text/html", ...attendance() } });
  if (!response.ok) throw await refusalOf(response);
  return response.text();
};
