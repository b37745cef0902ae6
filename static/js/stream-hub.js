// One event stream for all tabs of a browser: what it tells, and how many matches wait for the player. It runs in a
// shared worker, in the tab that leads the others, or in each tab for itself.

const AGAIN = 30000;
const ASKING = 20000;
const CHECKING = 60000;
const SETTLING = 250;
const JOINING = 50;
const LATELY = 10 * 60 * 1000;

/** The later one of two ids of events; an empty one is the earliest. */
const later = (one, other) => (Number(other) > Number(one) ? other : one);

/**
 * `config` has the addresses of the stream (`events`, empty where there is none) and of the turns (`turns`), the `player`
 * (null for a visitor), and `most`, how many matches a stream may follow. `tell(message)` reaches all tabs.
 *
 * Tabs say `hello` with the matches they show, `bye`, `ping` and `ask`. They are told `streaming`, `event`, `turns`,
 * `taken` and `gone`; of `taken`, `to` is the tab that leads its person to the match, if one does.
 */
export class StreamHub {
  #source = null;
  #followed = new Set();
  #cursor = "";
  #streaming = false;
  #tabs = new Map();
  #turns = null;
  #handled = new Set();
  #timers = {};
  #stopped = false;

  constructor(config, tell) {
    Object.assign(this, { config, tell });
    if (config.player !== null) this.#ask();
  }

  /** Take a tab's message. */
  hear({ type, from, tab }) {
    if (this.#stopped) return;
    if (type === "ping") this.tell({ type: "pong" });
    else if (type === "ask") this.#later("ask", SETTLING, () => this.#ask());
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

  #welcome(from, tab) {
    this.#tabs.set(from, tab);
    for (const seek of tab.handled) this.#handled.add(seek);
    if (!this.#source) this.#cursor = later(this.#cursor, tab.after);
    this.tell({ type: "streaming", streaming: this.#streaming });
    if (this.#turns) this.tell({ type: "turns", turns: this.#turns });
    this.#later("join", JOINING, () => this.#join());
  }

  /** Have a stream that follows what all tabs show; one that follows more already will do. */
  #join() {
    const { events, player, most } = this.config;
    const shown = [...new Set([...this.#tabs.values()].flatMap((tab) => tab.matches))].slice(-most);
    const followsAll = this.#source && shown.every((match) => this.#followed.has(match));
    if (!events || followsAll || (player === null && !shown.length)) return;
    this.#followed = new Set(shown);
    this.#open();
  }

  #open() {
    this.#source?.close();
    const query = new URLSearchParams([...this.#followed].map((match) => ["match", match]));
    if (this.#cursor) query.append("after", this.#cursor);
    const source = new EventSource(`${this.config.events}?${query}`);
    this.#source = source;
    source.addEventListener("open", () => this.#isStreaming(true));
    source.addEventListener("error", () => this.#lose(source));
    for (const name of ["ready", "reset", "match", "seek", "event"]) {
      source.addEventListener(name, (event) => this.#take(name, event.lastEventId, JSON.parse(event.data)));
    }
  }

  /** A stream that is lost is opened again by the browser, unless the server has refused it. */
  #lose(source) {
    if (source !== this.#source) return;
    this.#isStreaming(false);
    if (source.readyState !== EventSource.CLOSED) return;
    this.#source = null;
    if (this.config.player !== null) this.#ask();
    // Not all browsers at the same moment, after a restart of the server.
    this.#later("open", AGAIN * (1 + Math.random()), () => this.#open());
  }

  #isStreaming(streaming) {
    if (streaming === this.#streaming) return;
    this.#streaming = streaming;
    this.tell({ type: "streaming", streaming });
    // Whoever is logged in may be another one since the last stream.
    if (streaming && this.config.player !== null) this.#later("ask", SETTLING, () => this.#ask());
  }

  #take(name, id, data) {
    this.#cursor = later(this.#cursor, id);
    this.tell({ type: "event", name, id, data });
    const own = name === "ready" || name === "reset" || (name === "match" && data.you);
    if (own && this.config.player !== null) this.#later("ask", SETTLING, () => this.#ask());
    const isLate = Date.now() - Number(id) / 1000 > LATELY;
    if (name === "seek" && data.own && data.status === "taken" && !isLate) this.#lead(data);
  }

  /** Ask how many matches wait for the player, who may be another one by now, or none. */
  async #ask() {
    clearTimeout(this.#timers.ask);
    const turns = await this.#fetchTurns();
    if (this.#stopped) return;
    if (turns && turns.player !== this.config.player) {
      this.stop();
      this.tell({ type: "gone" });
      return;
    }
    if (turns) this.#learn(turns);
    this.#later("check", this.#streaming ? CHECKING : ASKING, () => this.#ask());
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

  #learn(turns) {
    const begins = this.#turns === null;
    this.#turns = turns;
    this.tell({ type: "turns", turns });
    // A stream tells only what is taken once it has begun. What a page has not shown as waiting was taken before it.
    const waiting = new Set([...this.#tabs.values()].flatMap((tab) => tab.waiting));
    for (const taken of turns.taken) {
      if (begins && !waiting.has(taken.seek)) this.#handled.add(taken.seek);
      else this.#lead(taken);
    }
  }

  /**
   * Somebody has taken a game of the player's: lead there in one tab at most, and in none if one shows the match already;
   * that may be about to open.
   */
  #lead({ seek, match }) {
    if (this.#handled.has(seek)) return;
    this.#handled.add(seek);
    this.#later(`lead-${seek}`, 2 * SETTLING, () => {
      const tabs = [...this.#tabs].map(([id, tab]) => ({ id, ...tab }));
      const isThere = tabs.some((tab) => tab.at === match);
      const free = tabs.filter((tab) => tab.leads);
      const leader = isThere ? null : free.find((tab) => tab.visible) ?? free.at(-1) ?? null;
      const isSeen = isThere || Boolean(leader?.visible);
      this.tell({ type: "taken", seek, match, to: leader?.id ?? null, isSeen });
    });
  }

  #later(name, delay, deed) {
    clearTimeout(this.#timers[name]);
    this.#timers[name] = setTimeout(deed, delay);
  }
}
