// The match page: it follows the match, and lets the person whose turn it is play. Here its parts are only joined: news are
// taken over into the state and then shown, and what a person plays is sent and comes back as news.

import { Refusal, get, reached } from "./api.js";
import { Board } from "./board.js";
import { Clocks } from "./clocks.js";
import { Composer } from "./composer.js";
import { Display } from "./display.js";
import { Following } from "./following.js";
import { Live } from "./live.js";
import { Panel } from "./panel.js";
import { Playing } from "./playing.js";
import { Positions } from "./positions.js";
import { Rematch } from "./rematch.js";
import { Review } from "./review.js";
import { stream } from "./shared-stream.js";
import { followSharing, offerSharing } from "./sharing.js";
import { State } from "./state.js";
import { working } from "./working.js";

const page = JSON.parse(document.getElementById("page-data").textContent);
const { addresses } = page;
const byId = (id) => document.getElementById(id);
const strips = [...document.querySelectorAll(".strip")];

const state = new State(page);
const positions = new Positions((ply) => get(addresses.positions.replace("/0/", `/${ply}/`)));
const board = new Board(document.querySelector(".board"), {
  onChoose: (space) => playing.choose(space),
  onUndo: () => composer.undo(),
});
const texts = { ...page.texts, ...board.texts };
const panel = new Panel(texts);
const clocks = new Clocks(strips, texts.units);
const rematch = new Rematch(stream, (words) => panel.say(words));
const composer = new Composer({
  board,
  side: state.match.you,
  addresses,
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
    panel.refuse(null);
    display.showPast(position);
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
  positions,
  strips,
  texts,
  onPanels: () => {
    offerSharing();
    rematch.follow();
  },
});
const following = new Following({ state, display, panel, clocks, composer, review, positions, texts, addresses, onTurn: () => stream.ask() });
const live = new Live({
  url: addresses.match,
  stream,
  match: state.match.id,
  onChange: (news, ahead) => following.follow(news, ahead),
  waiting: () => !state.mine,
  over: () => !state.playing,
});
const playing = new Playing({
  state,
  display,
  board,
  panel,
  composer,
  review,
  following,
  live,
  texts,
  addresses,
  onRefusal: explain,
});

function explain(error) {
  if (error instanceof Refusal) panel.refuse(error);
  else if (error instanceof TypeError) sayUnreached();
  else throw error;
}

/** It is said as long as it is true. */
async function sayUnreached() {
  const refusal = { rule: "", message: texts.offline };
  panel.refuse(refusal);
  await reached(addresses.match);
  panel.forgive(refusal);
}

document.addEventListener("click", (event) => {
  const entry = event.target.closest("#moves [data-ply]");
  if (!entry || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  review.go(Number(entry.dataset.ply));
});
byId("review-end").addEventListener("click", (event) => {
  event.preventDefault();
  review.go(state.match.ply);
});
byId("confirm").addEventListener("click", () => playing.play(composer.ready));
byId("undo").addEventListener("click", () => composer.undo());
byId("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  playing.play([event.target.elements.text.value.trim()]);
});
byId("flip").addEventListener("click", () => {
  board.turnRound();
  document.querySelector(".stage").classList.toggle("flipped");
});

// What is told of a player's own matches comes anyway.
stream.join({ at: state.match.id, matches: state.match.you || !state.playing ? [] : [state.match.id] });
followSharing(texts.copied);
offerSharing();
clocks.set(state.match, Date.parse(page.now) - Date.now());
if (review.active) display.showTurn();
else working(display.showNow());
