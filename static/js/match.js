// A match on its page: shows it as it goes on, and lets the player to move play. This module only joins the parts: news go
// into the state and are then shown, and a turn is sent and comes back as news.

import { Refusal, get, waitUntilReached } from "./api.js";
import { Beforehand } from "./beforehand.js";
import { Board } from "./board.js";
import { Clocks } from "./clocks.js";
import { Composer } from "./composer.js";
import { Display } from "./display.js";
import { EarlierRows } from "./earlier-rows.js";
import { here, pause } from "./here.js";
import { LeadOn } from "./lead-on.js";
import { MatchPoller } from "./match-poller.js";
import { MatchState } from "./match-state.js";
import { MatchUpdates } from "./match-updates.js";
import { byId, dataOf, find, findAll, findAround, readData } from "./page.js";
import { Offers } from "./offers.js";
import { followOpponent } from "./opponent.js";
import { Panel } from "./panel.js";
import { Positions } from "./positions.js";
import { Rematch } from "./rematch.js";
import { Review } from "./review.js";
import { enableShareButton, showShareButton } from "./share-button.js";
import { stream } from "./shared-stream.js";
import { TurnInput } from "./turn-input.js";

/** How long a browser takes to notice that a page has a part whose words are to be said. */
const ANNOUNCER_DELAY = 200;
const SECONDS_OF_A_DAY = 86400;

/**
 * Show the match of the page's content, as long as that is here; say whose turn it is if it came in place of another content.
 *
 * @param {boolean} cameInPlace
 */
export const openMatch = (cameInPlace) => {
  /** @type {MatchPage} */
  const page = readData("page-data");
  const { urls } = page;
  const signal = here();
  const strips = findAll(document, ".strip", HTMLElement);

  const state = new MatchState(page);
  const positions = new Positions({
    load: (first, last) => get(urls.positions.replace("/0-0/", `/${first}-${last}/`)),
    length: page.stretch_length,
    total: () => state.match.ply,
  });
  const board = new Board(find(document, ".board", SVGSVGElement), {
    onChoose: (space) => {
      (beforehand.active ? beforehand : turnInput).choose(space);
    },
    onUndo: () => {
      (beforehand.active ? beforehand : composer).undo();
    },
  });
  const texts = { ...page.texts, ...board.texts };
  const panel = new Panel(texts);
  const clocks = new Clocks(strips, texts.units);
  const offers = new Offers(state.match, (words) => panel.say(words));
  const beforehand = new Beforehand({
    state,
    board,
    urls,
    say: (words) => panel.say(words),
    onBegin: () => review.go(state.match.ply),
    onEnd: () => display.showNow(),
    onRefusal: explain,
  });
  const leadOn = state.match.you ? new LeadOn(stream) : null;
  const rematch = new Rematch(stream, (words) => panel.say(words));
  const composer = new Composer({
    board,
    side: state.match.you,
    urls,
    onChange: () => {
      panel.refuse(null);
      display.showTurn();
    },
    onRefusal: explain,
  });
  const review = new Review({
    root: byId("history"),
    load: (ply) => positions.at(ply),
    total: state.match.ply,
    shown: page.shown,
    show: (position) => {
      beforehand.stop();
      panel.refuse(null);
      display.showPast(position);
      earlierRows.showMove(position.ply).catch(explain);
    },
    leave: () => {
      panel.refuse(null);
      display.showNow();
    },
    onRefusal: explain,
  });
  const display = new Display({
    state,
    board,
    panel,
    composer,
    review,
    leadOn,
    strips,
    texts,
    onPanels: () => {
      showShareButton();
      leadOn?.show(state.mine);
      rematch.schedule();
    },
  });
  const earlierRows = new EarlierRows({ url: urls.panels, onShown: () => review.active && display.showReviewed() });
  const updates = new MatchUpdates({ state, display, panel, clocks, composer, review, positions, offers, beforehand, texts, urls, onTurn: () => state.match.you && stream.ask() });
  const poller = new MatchPoller({
    url: () => updates.url,
    stream,
    match: state.match.id,
    onChange: (news, ahead) => updates.apply(news, ahead),
    waiting: () => !state.mine,
    over: () => !state.playing || signal.aborted,
    watches: !state.match.you,
  });
  const turnInput = new TurnInput({
    state,
    display,
    board,
    panel,
    composer,
    review,
    updates,
    poller,
    texts,
    urls,
    onTurn: () => leadOn?.begin(),
    onRefusal: explain,
  });

  /** @param {unknown} error */
  function explain(error) {
    if (error instanceof Refusal) panel.refuse(error);
    else if (error instanceof TypeError) explainUnreached();
    else throw error;
  }

  /** Say that the server cannot be reached, until it can. */
  async function explainUnreached() {
    const refusal = { rule: "", message: texts.offline };
    panel.refuse(refusal);
    await waitUntilReached(urls.match);
    panel.forgive(refusal);
  }

  document.addEventListener("click", (event) => {
    const entry = findAround(event, "#moves [data-ply]", HTMLElement);
    if (!entry || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    review.go(Number(dataOf(entry, "ply")));
  }, { signal });
  document.addEventListener("click", (event) => {
    if (!findAround(event, "#earlier a", HTMLElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    earlierRows.show().catch(explain);
  }, { signal });
  byId("review-end").addEventListener("click", (event) => {
    event.preventDefault();
    review.go(state.match.ply);
  });
  byId("confirm").addEventListener("click", () => turnInput.play(composer.ready));
  byId("choices").addEventListener("click", (event) => {
    const button = findAround(event, "[data-text]", HTMLButtonElement);
    if (button) turnInput.play(composer.with(dataOf(button, "text")));
  });
  byId("undo").addEventListener("click", () => composer.undo());
  byId("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    turnInput.play([find(byId("typed"), "[name=text]", HTMLInputElement).value.trim()]);
  });
  byId("flip").addEventListener("click", () => {
    board.turnRound();
    find(document, ".stage", HTMLElement).classList.toggle("flipped");
  });

  const isLive = Boolean(state.match.you) && state.playing && state.match.time_control.bank < SECONDS_OF_A_DAY;
  if (isLive) followOpponent({ stream, match: state.match.id, strips, texts, say: (words) => panel.say(words) });
  stream.join({ at: state.match.id, matches: state.playing ? [state.match.id] : [], echoes: isLive });
  enableShareButton(texts.copied);
  showShareButton();
  clocks.set(state.match, Date.parse(page.now) - Date.now());
  if (review.active) display.showTurn();
  else display.showNow();
  const standing = `${byId("action-title").textContent}. ${byId("task").textContent}`;
  if (cameInPlace) pause(ANNOUNCER_DELAY).then(() => panel.say(standing));
};
