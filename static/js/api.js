// Talking to this site's JSON API.

/** What the server answers when it refuses: `status`, `code`, one sentence, and the broken rule's id if there is one. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || String(status));
    this.status = status;
    this.code = problem.code || "";
    this.rule = problem.rule || "";
  }
}

const ATTENDED_FOR = 60 * 1000;
const TRYING = 2000;

let lastSign = Date.now();
for (const sign of ["pointerdown", "keydown"]) {
  addEventListener(sign, () => (lastSign = Date.now()), { capture: true, passive: true });
}

/** Says, where nobody has touched the page for a while, that it asks by itself: its player does not count as present. */
const attention = () => (Date.now() - lastSign > ATTENDED_FOR ? { "X-Unattended": "1" } : {});

const csrfToken = () => document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";

const refusalOf = async (response) => {
  const problem = await response.json().catch(() => ({}));
  return new Refusal(response.status, problem);
};

/** Resolves as soon as the server answers at `url`, whatever it says. */
export const reached = async (url) => {
  for (;;) {
    await new Promise((done) => setTimeout(done, TRYING));
    try {
      await fetch(url, { method: "HEAD", headers: { "X-Unattended": "1" }, cache: "no-store" });
      return;
    } catch {
      // Still not.
    }
  }
};

/** The JSON at `url`; throws a `Refusal`. */
export const get = async (url) => {
  const response = await fetch(url, { headers: { Accept: "application/json", ...attention() } });
  if (!response.ok) throw await refusalOf(response);
  return response.json();
};

/** The JSON answer to `body` sent to `url`; throws a `Refusal`. */
export const post = async (url, body) => {
  const response = await fetch(url, {
    method: "POST",
    headers: { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": csrfToken() },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw await refusalOf(response);
  return response.json();
};

/** The HTML fragment at `url`; throws a `Refusal`. */
export const getFragment = async (url) => {
  const response = await fetch(url, { headers: { Accept: "text/html", ...attention() } });
  if (!response.ok) throw await refusalOf(response);
  return response.text();
};
