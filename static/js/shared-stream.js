// A tab's part in the one event stream of its browser. A shared worker holds it where there are such; else one tab does
// for all, chosen by a lock; else each tab has its own.

import { StreamHub } from "./stream-hub.js";

const ANSWERING = 2000;
const MOST_KEPT = 50;

/** Through a shared worker; `fail()` is called if it cannot be loaded. */
const overWorker = (config, hear, fail) => {
  if (!window.SharedWorker) return null;
  let worker;
  try {
    worker = new SharedWorker(config.worker, { name: `stream-${config.player}`, type: "module" });
  } catch {
    return null;
  }
  worker.addEventListener("error", fail);
  worker.port.onmessage = ({ data }) => hear(data);
  return { send: (message) => worker.port.postMessage({ ...message, config }) };
};

/** Through the tab that has the lock; `steal()` takes it from one that does not answer. */
const overChannel = (config, hear) => {
  if (!window.BroadcastChannel || !navigator.locks) return null;
  const name = `stream-${config.player}`;
  const channel = new BroadcastChannel(name);
  let hub = null;
  const tell = (message) => {
    channel.postMessage({ to: "tabs", message });
    hear(message);
  };
  channel.onmessage = ({ data: { to, message } }) => {
    if (to === "tabs") hear(message);
    else hub?.hear(message);
  };
  const lead = (options) => {
    const led = navigator.locks.request(name, options, () => {
      hub = new StreamHub(config, tell);
      tell({ type: "who" });
      return new Promise(() => {});
    });
    led.catch(() => {
      hub?.stop();
      hub = null;
      lead({});
    });
  };
  lead({});
  return {
    send: (message) => (hub ? hub.hear(message) : channel.postMessage({ to: "hub", message })),
    steal: () => hub ?? lead({ steal: true }),
  };
};

/** For this tab alone: while nobody looks at it, it leaves the browser's few connections to others. */
const alone = (config, hear) => {
  let hub = null;
  const lead = () => {
    hub?.stop();
    hub = document.hidden ? null : new StreamHub(config, hear);
    if (hub) hear({ type: "who" });
    else hear({ type: "streaming", streaming: false });
  };
  document.addEventListener("visibilitychange", lead);
  queueMicrotask(lead);
  return { send: (message) => hub?.hear(message) };
};

/**
 * Dispatches `streaming` (whether there is a stream), `match`, `seek` and `event` as the server tells them, `anew` when
 * what was not heard may have changed, `turns`, and `taken` when somebody has taken a game of the player's.
 */
class SharedStream extends EventTarget {
  #id = Math.random().toString(36).slice(2);
  #tab = { matches: [], at: null, leads: false, waiting: [] };
  #link = null;
  #joined = false;
  #gone = false;
  #answered = true;

  constructor(config) {
    super();
    this.config = config;
    document.addEventListener("visibilitychange", () => {
      if (this.#joined) this.#greet();
      if (this.#joined && !document.hidden) this.#ping();
    });
    addEventListener("pagehide", () => this.#send({ type: "bye" }));
    addEventListener("pageshow", ({ persisted }) => persisted && this.#joined && this.#greet());
  }

  /** Whether the player's own news come. */
  get hasPlayer() {
    return this.config.player !== null;
  }

  /**
   * Say what this tab shows: `matches` to be followed, the match that it is `at`, the player's seeks that were `waiting`
   * when its page was made, and whether it `leads` to taken games.
   */
  join(tab = {}) {
    Object.assign(this.#tab, tab);
    if (!this.hasPlayer && !(this.config.events && this.#tab.matches.length)) return;
    this.#joined = true;
    this.#link ??= this.#connect();
    this.#greet();
  }

  /** Have the turns looked at anew, where no stream tells of them. */
  ask() {
    this.#send({ type: "ask" });
  }

  #connect() {
    const hear = (message) => this.#hear(message);
    const fail = () => {
      this.#link = overChannel(this.config, hear) ?? alone(this.config, hear);
      this.#greet();
    };
    return overWorker(this.config, hear, fail) ?? overChannel(this.config, hear) ?? alone(this.config, hear);
  }

  #greet() {
    const tab = { ...this.#tab, visible: !document.hidden, after: this.#kept("after", ""), handled: this.#kept("handled", []) };
    this.#send({ type: "hello", tab });
  }

  #send(message) {
    if (!this.#gone) this.#link?.send({ ...message, from: this.#id });
  }

  /** A tab that leads and sleeps in the background is no help to one that somebody looks at. */
  #ping() {
    if (!this.#link.steal) return;
    this.#answered = false;
    this.#send({ type: "ping" });
    setTimeout(() => this.#answered || this.#link.steal(), ANSWERING);
  }

  #hear(message) {
    const { type, name, id, data, seek } = message;
    this.#answered = true;
    if (type === "who") this.#greet();
    if (type === "gone") this.#gone = true;
    if (type === "gone") this.#say("streaming", false);
    if (type === "streaming") this.#say("streaming", message.streaming);
    if (type === "turns") this.#say("turns", message.turns);
    if (type === "event") {
      this.#keep("after", id);
      this.#say(name === "ready" || name === "reset" ? "anew" : name, data);
    }
    if (type === "taken") {
      this.#keep("handled", [...this.#kept("handled", []), seek].slice(-MOST_KEPT));
      this.#say("taken", { ...message, isLed: message.to === this.#id });
    }
  }

  #say(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** What is kept from one page of this tab to the next, so that nothing is missed in between. */
  #kept(name, otherwise) {
    try {
      return JSON.parse(sessionStorage.getItem(`stream-${name}-${this.config.player}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  }

  #keep(name, value) {
    try {
      sessionStorage.setItem(`stream-${name}-${this.config.player}`, JSON.stringify(value));
    } catch {
      // A browser that keeps nothing hears of what comes while a page is shown.
    }
  }
}

export const stream = new SharedStream(JSON.parse(document.getElementById("stream-data").textContent));
