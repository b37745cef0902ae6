// A tab's connection to the one event stream of its browser. A shared worker holds the stream where the browser has them;
// else one tab does for all, chosen by a lock; else each tab has its own.

import { readData } from "./page.js";
import { StreamHub } from "./stream-hub.js";

/** @typedef {{send: (message: StreamMessage) => void, steal?: () => void}} Link */
/** @typedef {(message: StreamMessage) => void} Receive */

const ANSWER_TIMEOUT = 2000;
const MAX_KEPT = 50;

/**
 * Connect through a shared worker, or return null; `fail()` is called if the worker cannot be loaded.
 *
 * @type {(config: StreamConfig, receive: Receive, fail: () => void) => Link | null}
 */
const connectToWorker = (config, receive, fail) => {
  if (!window.SharedWorker) return null;
  /** @type {SharedWorker} */
  let worker;
  try {
    worker = new SharedWorker(config.worker, { name: `stream-${config.player}`, type: "module" });
  } catch {
    return null;
  }
  worker.addEventListener("error", fail);
  worker.port.onmessage = ({ data }) => receive(data);
  return { send: (message) => worker.port.postMessage({ ...message, config }) };
};

/**
 * Connect to the tab that has the lock, or return null; `steal()` takes the lock from a tab that does not answer.
 *
 * @type {(config: StreamConfig, receive: Receive) => Link | null}
 */
const connectToTab = (config, receive) => {
  if (!window.BroadcastChannel || !navigator.locks) return null;
  const name = `stream-${config.player}`;
  const channel = new BroadcastChannel(name);
  /** @type {StreamHub | null} */
  let hub = null;
  /** @param {StreamMessage} message */
  const send = (message) => {
    channel.postMessage({ to: "tabs", message });
    receive(message);
  };
  channel.onmessage = ({ data: { to, message } }) => {
    if (to === "tabs") receive(message);
    else hub?.receive(message);
  };
  /** @param {LockOptions} options */
  const lead = (options) => {
    const led = navigator.locks.request(name, options, () => {
      hub = new StreamHub(config, send);
      send({ type: "who" });
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
    send: (message) => (hub ? hub.receive(message) : channel.postMessage({ to: "hub", message })),
    steal: () => hub ?? lead({ steal: true }),
  };
};

/**
 * Open a stream for this tab alone; while it is hidden it leaves the browser's few connections to other tabs.
 *
 * @type {(config: StreamConfig, receive: Receive) => Link}
 */
const connectAlone = (config, receive) => {
  /** @type {StreamHub | null} */
  let hub = null;
  const lead = () => {
    hub?.stop();
    hub = document.hidden ? null : new StreamHub(config, receive);
    if (hub) receive({ type: "who" });
    else receive({ type: "streaming", streaming: false });
  };
  document.addEventListener("visibilitychange", lead);
  queueMicrotask(lead);
  return { send: (message) => hub?.receive(message) };
};

/**
 * Dispatches `streaming` (whether there is a stream), `match`, `seek`, `competition`, `table` and `team` as the server sends them, `anew` when
 * something may have been missed, `turns`, `connection` of an opponent, `taken` when somebody has taken a game of the player, and `call` if this is the tab
 * to call the player: as it is their `turn`, or as a match of theirs has `begun`.
 */
class SharedStream extends EventTarget {
  #id = Math.random().toString(36).slice(2);
  /** @type {Tab} */ #tab = { matches: [], topics: [], at: null, leads: false, waiting: [], echoes: false };
  /** @type {Link | null} */ #link = null;
  // Since when an event may have been missed: the page was requested then, or left for another.
  #since = Date.now() - performance.now();
  #joined = false;
  #left = false;
  #gone = false;
  #answered = true;

  /** @param {StreamConfig} config */
  constructor(config) {
    super();
    this.config = config;
    document.addEventListener("visibilitychange", () => {
      if (this.#joined) this.#greet();
      if (this.#joined && !document.hidden) this.#ping();
    });
    addEventListener("pagehide", () => {
      this.#since = Date.now();
      this.#send({ type: "bye" });
      // A page that is left becomes hidden after this, and must not be counted as a tab again.
      this.#left = true;
    });
    addEventListener("pageshow", ({ persisted }) => {
      this.#left = false;
      if (persisted && this.#joined) this.#greet();
    });
  }

  /** The number of the player who is logged in, or null. */
  get player() {
    return this.config.player;
  }

  /** Whether somebody is logged in, whose own matches have news. */
  get hasPlayer() {
    return this.config.player !== null;
  }

  /**
   * Say what this tab shows: `matches` and `topics` to be followed, the match that it is `at`, the player's seeks that were `waiting`
   * when its page was made, whether it `leads` to taken games by itself, and whether its match is live, so that it `echoes`.
   *
   * @param {Partial<Tab>} tab
   */
  join(tab = {}) {
    Object.assign(this.#tab, tab);
    const follows = this.#tab.matches.length || this.#tab.topics.length;
    if (!this.hasPlayer && !(this.config.stream && follows)) return;
    this.#joined = true;
    this.#link ??= this.#connect();
    this.#greet();
  }

  /** Ask again how many matches wait, where no stream says so. */
  ask() {
    this.#send({ type: "ask" });
  }

  #connect() {
    /** @type {Receive} */
    const receive = (message) => this.#receive(message);
    const fail = () => {
      this.#link = connectToTab(this.config, receive) ?? connectAlone(this.config, receive);
      this.#greet();
    };
    return connectToWorker(this.config, receive, fail) ?? connectToTab(this.config, receive) ?? connectAlone(this.config, receive);
  }

  #greet() {
    const kept = { after: this.#kept("after", ""), handled: this.#kept("handled", []) };
    this.#send({ type: "hello", tab: { ...this.#tab, ...kept, visible: !document.hidden, since: this.#since } });
  }

  /** @param {StreamMessage} message */
  #send(message) {
    if (!this.#gone && !this.#left) this.#link?.send({ ...message, from: this.#id });
  }

  /** Take the lock from a leading tab that sleeps in the background and does not answer. */
  #ping() {
    if (!this.#link?.steal) return;
    this.#answered = false;
    this.#send({ type: "ping" });
    setTimeout(() => this.#answered || this.#link?.steal?.(), ANSWER_TIMEOUT);
  }

  /** @param {StreamMessage} message */
  #receive(message) {
    const { type, name, id, data, seek } = message;
    this.#answered = true;
    if (type === "who") this.#greet();
    if (type === "gone") this.#gone = true;
    if (type === "gone") this.#dispatch("streaming", false);
    if (type === "streaming") this.#dispatch("streaming", message.streaming);
    if (type === "turns") this.#dispatch("turns", message.turns);
    if (type === "connection") this.#dispatch("connection", data);
    if (type === "call" && message.to === this.#id) this.#dispatch("call", message.reason);
    if (type === "missed" && message.to === this.#id) this.#dispatch("anew");
    if (type === "event") {
      this.#keep("after", id);
      if (name === "ready" || name === "reset") this.#dispatch("anew", name);
      else this.#dispatch(name, data);
    }
    if (type === "taken") {
      this.#keep("handled", [...this.#kept("handled", []), seek].slice(-MAX_KEPT));
      this.#dispatch("taken", { ...message, isLed: message.to === this.#id });
    }
  }

  /**
   * @param {string} name
   * @param {unknown} [detail]
   */
  #dispatch(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /**
   * Return what one page of this tab keeps for the next, so that nothing is missed in between.
   *
   * @param {string} name
   * @param {any} otherwise
   */
  #kept(name, otherwise) {
    try {
      return JSON.parse(sessionStorage.getItem(`stream-${name}-${this.config.player}`) ?? "null") ?? otherwise;
    } catch {
      return otherwise;
    }
  }

  /**
   * @param {string} name
   * @param {unknown} value
   */
  #keep(name, value) {
    try {
      sessionStorage.setItem(`stream-${name}-${this.config.player}`, JSON.stringify(value));
    } catch {
      // A browser that keeps nothing receives only what comes while a page is shown.
    }
  }
}

export const stream = new SharedStream(readData("stream-data"));
