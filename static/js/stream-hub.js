// The hub of the one event stream of a browser: passes the stream's events to all tabs, with how many matches wait for the
// player. It runs in a shared worker, in the tab that leads the others, or in each tab for itself.

const REOPEN_DELAY = 30000;
const ASK_INTERVAL = 20000;
const STREAMING_ASK_INTERVAL = 60000;
const ASK_DELAY = 250;
const JOIN_DELAY = 50;
const CALL_DELAY = 700;
/** Milliseconds in which the turn with which a match begins may be counted. */
const BEGINNING = 5000;
const MAX_TAKEN_AGE = 10 * 60 * 1000;

/**
 * Return the later one of two ids of events; an empty one is the earliest.
 *
 * @param {string} one
 * @param {string} other
 */
const later = (one, other) => (Number(other) > Number(one) ? other : one);

/**
 * `config` has the URLs of the stream (`stream`, empty where there is none) and of the turns (`turns`), the `player`
 * (null for a visitor), and `most`, how many matches a stream may follow, as many as topics. `send(message)` reaches all tabs.
 *
 * Tabs send `hello` with the matches and topics they show, `bye`, `ping` and `ask`. They receive `streaming`, `event`, `turns`,
 * `missed`, `taken`, `call`, `connection` and `gone`; `missed` and `call` are for the tab `to`; in `taken`, `to` is the tab that opens the match,
 * if one does.
 */
export class StreamHub {
  /** @type {StreamConfig} */ config;
  /** @type {(message: StreamMessage) => void} */ send;

  /** @type {EventSource | null} */ #source = null;
  /** @type {Set<number>} */ #followed = new Set();
  /** @type {Set<string>} */ #topics = new Set();
  #echoes = false;
  /** @type {Map<number, any>} */ #connections = new Map();
  /** @type {Set<string>} */ #refused = new Set();
  #cursor = "";
  #lastEventAt = 0;
  #streaming = false;
  /** @type {Map<string, GreetingTab>} */ #tabs = new Map();
  /** @type {Turns | null} */ #turns = null;
  /** @type {Set<number>} */ #handled = new Set();
  /** @type {Record<string, number>} */ #timers = {};
  #begunAt = -Infinity;
  #stopped = false;

  /**
   * @param {StreamConfig} config
   * @param {(message: StreamMessage) => void} send
   */
  constructor(config, send) {
    Object.assign(this, { config, send });
    if (config.player !== null) this.#ask();
  }

  /**
   * Receive a tab's message.
   *
   * @param {StreamMessage} message
   */
  receive({ type, from, tab }) {
    if (this.#stopped) return;
    if (type === "ping") this.send({ type: "pong" });
    else if (type === "ask") this.#later("ask", ASK_DELAY, () => this.#ask());
    else if (type === "bye") this.#tabs.delete(from);
    else if (type === "hello") this.#welcome(from, tab);
  }

  /** End it for good. */
  stop() {
    this.#stopped = true;
    this.#source?.close();
    this.#source = null;
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
  }

  /**
   * @param {string} from
   * @param {GreetingTab} tab
   */
  #welcome(from, tab) {
    const hasMissed = !this.#tabs.has(from) && tab.since <= this.#lastEventAt;
    this.#tabs.set(from, tab);
    for (const seek of tab.handled) this.#handled.add(seek);
    if (!this.#source) this.#cursor = later(this.#cursor, tab.after);
    this.send({ type: "streaming", streaming: this.#streaming });
    if (this.#turns) this.send({ type: "turns", turns: this.#turns });
    for (const data of this.#connections.values()) this.send({ type: "connection", data });
    if (hasMissed) this.#makeUp(from, tab);
    this.#later("join", JOIN_DELAY, () => this.#join());
  }

  /**
   * Let a tab load again what it shows, and open its taken games: the stream has sent events since its page was made, before
   * it could receive them.
   *
   * @param {string} to
   * @param {GreetingTab} tab
   */
  #makeUp(to, tab) {
    this.send({ type: "missed", to });
    if (this.config.player === null) return;
    for (const seek of tab.waiting) if (!tab.handled.includes(seek)) this.#handled.delete(seek);
    this.#later("ask", ASK_DELAY, () => this.#ask());
  }

  /** Open a stream that follows what all tabs show, unless the present one does. */
  #join() {
    const { stream, player, most } = this.config;
    const tabs = [...this.#tabs.values()];
    const shown = [...new Set(tabs.flatMap((tab) => tab.matches))].slice(-most);
    const topics = [...new Set(tabs.flatMap((tab) => tab.topics))].filter((topic) => !this.#refused.has(topic)).slice(-most);
    const echoes = tabs.some((tab) => tab.echoes);
    const followsAll =
      this.#source && (this.#echoes || !echoes) && shown.every((match) => this.#followed.has(match)) && topics.every((topic) => this.#topics.has(topic));
    if (!stream || followsAll || (player === null && !shown.length && !topics.length)) return;
    this.#followed = new Set(shown);
    this.#topics = new Set(topics);
    this.#echoes = echoes;
    this.#open();
  }

  #open() {
    this.#source?.close();
    const query = new URLSearchParams([...this.#followed].map((match) => ["match", String(match)]));
    if (this.#topics.size) query.append("topics", [...this.#topics].join(","));
    if (query.size) query.append("updates", "1");
    if (this.#echoes) query.append("echo", "1");
    if (this.#cursor) query.append("after", this.#cursor);
    const source = new EventSource(`${this.config.stream}?${query}`);
    this.#source = source;
    this.#connections.clear();
    source.addEventListener("open", () => this.#isStreaming(true));
    source.addEventListener("error", () => this.#lose(source));
    for (const name of ["ready", "reset", "match", "seek", "competition", "table", "team", "pause"]) {
      source.addEventListener(name, (event) => this.#take(name, event.lastEventId, JSON.parse(event.data)));
    }
    source.addEventListener("echo", (event) => this.#answer(event.data));
    source.addEventListener("connection", (event) => {
      const data = JSON.parse(event.data);
      this.#connections.set(data.match, data);
      this.send({ type: "connection", data });
    });
  }

  /**
   * Open a lost stream again if the browser does not, because the server has refused it.
   *
   * @param {EventSource} source
   */
  #lose(source) {
    if (source !== this.#source) return;
    this.#isStreaming(false);
    if (source.readyState !== EventSource.CLOSED) return;
    this.#source = null;
    if (this.config.player !== null) this.#ask();
    if (this.#topics.size) this.#leaveOut(source.url);
    // After a restart of the server not all browsers ask at the same moment.
    this.#later("open", REOPEN_DELAY * (1 + Math.random()), () => this.#open());
  }

  /**
   * Follow none of the present topics any more if one is refused, as that of a competition that was hidden is.
   *
   * @param {string} url
   */
  async #leaveOut(url) {
    const response = await fetch(url, { method: "HEAD", headers: { "X-Unattended": "1" }, cache: "no-store" }).catch(() => null);
    if (response?.status !== 404 || this.#stopped) return;
    for (const topic of this.#topics) this.#refused.add(topic);
    this.#join();
  }

  /**
   * Answer an echo at once: the server measures how long that takes.
   *
   * @param {string} body
   */
  #answer(body) {
    const headers = { "Content-Type": "application/json", "X-Unattended": "1" };
    fetch(this.config.echoes, { method: "POST", headers, body, cache: "no-store" }).catch(() => {});
  }

  /** @param {boolean} streaming */
  #isStreaming(streaming) {
    if (streaming === this.#streaming) return;
    this.#streaming = streaming;
    this.send({ type: "streaming", streaming });
    // Since the last stream somebody else may have logged in.
    if (streaming && this.config.player !== null) this.#later("ask", ASK_DELAY, () => this.#ask());
  }

  /**
   * @param {string} name
   * @param {string} id
   * @param {any} data
   */
  #take(name, id, data) {
    this.#cursor = later(this.#cursor, id);
    this.#lastEventAt = Date.now();
    this.send({ type: "event", name, id, data });
    const own = ["ready", "reset", "pause"].includes(name) || (name === "match" && data.you);
    if (own && this.config.player !== null) this.#later("ask", ASK_DELAY, () => this.#ask());
    const isLate = Date.now() - Number(id) / 1000 > MAX_TAKEN_AGE;
    if (name === "seek" && data.own && data.seek.status === "taken" && !isLate) {
      this.#lead({ seek: data.seek.id, match: data.seek.match });
    }
  }

  /** Ask how many matches wait for the player; somebody else may be logged in by now, or nobody. */
  async #ask() {
    clearTimeout(this.#timers.ask);
    const turns = await this.#fetchTurns();
    if (this.#stopped) return;
    if (turns && turns.player !== this.config.player) {
      this.stop();
      this.send({ type: "gone" });
      return;
    }
    if (turns) this.#update(turns);
    this.#later("check", this.#streaming ? STREAMING_ASK_INTERVAL : ASK_INTERVAL, () => this.#ask());
  }

  async #fetchTurns() {
    try {
      const headers = { Accept: "application/json", "X-Unattended": "1" };
      const response = await fetch(this.config.turns, { headers, cache: "no-store" });
      return response.ok ? await response.json() : null;
    } catch {
      return null;
    }
  }

  /** @param {Turns} turns */
  #update(turns) {
    const begins = this.#turns === null;
    if (this.#turns && turns.count > this.#turns.count) this.#call("turn");
    this.#turns = turns;
    this.send({ type: "turns", turns });
    // A stream reports only seeks that are taken after it began. A seek that no page shows as waiting, and that was taken before
    // any of them was asked for, is no news.
    const tabs = [...this.#tabs.values()];
    const waiting = new Set(tabs.flatMap((tab) => tab.waiting));
    const since = Math.min(...tabs.map((tab) => tab.since));
    for (const taken of turns.taken) {
      const isOld = !waiting.has(taken.seek) && Date.now() - taken.age < since;
      if (begins && isOld) this.#handled.add(taken.seek);
      else this.#lead(taken);
    }
  }

  /**
   * Open a game of the player that somebody has taken: in one tab at most, and in none if a tab shows the match already.
   * Such a tab may be about to open.
   *
   * @param {{ seek: number, match: number }} taken
   */
  #lead({ seek, match }) {
    if (this.#handled.has(seek)) return;
    this.#handled.add(seek);
    this.#later(`lead-${seek}`, 2 * ASK_DELAY, () => {
      const tabs = [...this.#tabs].map(([id, tab]) => ({ id, ...tab }));
      const isThere = tabs.some((tab) => tab.at === match);
      const free = tabs.filter((tab) => tab.leads);
      const leader = isThere ? null : free.find((tab) => tab.visible) ?? free.at(-1) ?? null;
      const isSeen = isThere || Boolean(leader?.visible);
      this.send({ type: "taken", seek, match, to: leader?.id ?? null, isSeen });
      this.#call("begun");
    });
  }

  /**
   * Let one tab call the player, one that is visible if there is one; once of a match that begins with the player's turn.
   *
   * @param {"turn" | "begun"} reason
   */
  #call(reason) {
    if (reason === "begun") this.#begunAt = Date.now();
    else if (Date.now() - this.#begunAt < BEGINNING) return;
    this.#later("call", CALL_DELAY, () => {
      const tabs = [...this.#tabs];
      const [to] = tabs.find(([, tab]) => tab.visible) ?? tabs.at(-1) ?? [null];
      this.send({ type: "call", to, reason });
    });
  }

  /**
   * @param {string} name
   * @param {number} delay
   * @param {() => void} task
   */
  #later(name, delay, task) {
    clearTimeout(this.#timers[name]);
    this.#timers[name] = setTimeout(task, delay);
  }
}
