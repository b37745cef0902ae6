// The match page: it follows the match, and lets the person whose turn it is play.

import { Refusal, get, getFragment, post } from "./api.js";
import { Board } from "./board.js";
import { Clocks } from "./clocks.js";
import { Composer } from "./composer.js";
import { keepPlace } from "./focus.js";
import { Live } from "./live.js";
import { Panel, write } from "./panel.js";
import { Rematch } from "./rematch.js";
import { Review, markEntry } from "./review.js";

const MOST_REPLAYED = 6;
const AFTER_OWN_MOVE = 400;
const LOOK = 1200;

const page = JSON.parse(document.getElementById("page-data").textContent);
const { addresses } = page;
const byId = (id) => document.getElementById(id);
const strips = [...document.querySelectorAll(".strip")];

let match = page.match;
let busy = false;
let tasks = 0;
let following = Promise.resolve();

const mine = () => match.status === "playing" && !match.paused_at && match.you !== null && match.turn === match.you;

const board = new Board(document.querySelector(".board"), { onChoose: choose, onUndo: () => composer.undo() });
const texts = { ...page.texts, ...board.texts };
const panel = new Panel(texts);
const composer = new Composer({
  board,
  side: match.you,
  addresses,
  onChange: () => {
    panel.refuse(null);
    showPanel();
  },
  onRefusal: explain,
});
const clocks = new Clocks(strips, texts.units);
const review = new Review({
  root: byId("history"),
  load: (ply) => get(addresses.positions.replace("/0/", `/${ply}/`)),
  total: match.ply,
  shown: page.shown,
  show: showPast,
  leave: () => {
    panel.refuse(null);
    showNow();
  },
  onRefusal: explain,
});
const live = new Live({
  url: addresses.match,
  events: addresses.events,
  onChange: (news, ahead) => follow(news, ahead),
  waiting: () => !mine(),
  over: () => match.status !== "playing",
});
const rematch = new Rematch((words) => panel.say(words));

// What is to be seen

function showPanel() {
  const { guidance, next, ready, begun } = composer;
  keepFocus(() => panel.show({ match, mine: mine() && !review.active, guidance, next, ready, begun, busy }));
}

/** If `change()` hides what has the focus, the board has it from then on. */
function keepFocus(change) {
  const focused = document.activeElement;
  change();
  if (focused?.closest("[hidden]")) board.focus();
}

function showScore(score) {
  for (const strip of strips) {
    const goals = strip.querySelector("[data-goals]");
    const more = score[strip.dataset.side] > Number(goals.textContent);
    strip.querySelector("[data-score]").classList.toggle("scored", more && !review.active);
    goals.textContent = score[strip.dataset.side];
    strip.classList.toggle("to-act", match.turn === strip.dataset.side);
  }
}

function showEvent({ actor, route, picture }) {
  board.draw(picture);
  board.trail(route, actor);
  board.markLast(route);
}

async function showNow() {
  keepFocus(() => { byId("review").hidden = true; });
  markEntry(match.ply);
  showScore(match.score);
  // Without its route the position is there all the same, and a turn can begin.
  const last = await lastEvent(match).catch(() => null);
  if (review.active) return;
  showEvent({ route: null, ...last, picture: match.picture });
  if (mine()) composer.begin(page.steps, match.picture, match.task);
  showPanel();
}

function showPast(position) {
  composer.stop();
  panel.refuse(null);
  showEvent(position);
  showScore(position.score);
  byId("review").hidden = false;
  showReviewed();
  showPanel();
  panel.say([position.stage, position.text].filter(Boolean).join(", "));
}

function showReviewed() {
  markEntry(review.ply);
  byId("review-text").textContent = write(texts.review, { ply: review.ply, total: match.ply });
}

function showPanels(fragment) {
  const box = byId("panels");
  if (!keepPlace(box, () => { box.innerHTML = fragment; })) board.focus();
  offerSharing();
  rematch.follow();
}

// Following the match

/** Take over what the server says, one piece of news after the other. */
function follow(news, ahead = null) {
  const followed = following.then(() => working(takeOver(news, ahead)));
  following = followed.catch(() => {});
  return followed;
}

/** Say that the page is at work until `promise` is settled. */
async function working(promise) {
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

async function takeOver(news, ahead) {
  const before = match;
  const changed = news.ply > before.ply || news.status !== before.status || news.paused_at !== before.paused_at;
  const fresh = changed ? await fetchFresh(before, news) : null;
  if (news.ply >= before.ply) match = news;
  clocks.set(match, ahead);
  if (!fresh) return;
  page.steps = fresh.steps;
  composer.stop();
  panel.refuse(null);
  showPanel();
  const told = review.active ? [] : await replay(fresh.events);
  review.grow(match.ply);
  panel.rolled(match.moves, match.ply > before.ply);
  showPanels(fresh.panels);
  if (review.active) showReviewed();
  else await showNow();
  if (mine()) told.push(`${texts.yours}.`, match.task);
  panel.say(told.join(" "));
  if (match.status !== "playing") byId("result")?.scrollIntoView({ block: "nearest" });
}

/** All that is needed to show `news`, so that they are shown wholly, or not yet. */
async function fetchFresh(before, news) {
  const toMove = news.turn !== null && news.turn === news.you && !news.paused_at;
  const plies = [];
  for (let ply = Math.max(before.ply, news.ply - MOST_REPLAYED) + 1; ply <= news.ply; ply += 1) plies.push(ply);
  const [{ steps }, panels, events] = await Promise.all([
    toMove ? get(`${addresses.steps}?all=1`) : { steps: {} },
    getFragment(addresses.panels),
    Promise.all(plies.map((ply) => review.position(ply))),
    lastEvent(news),
  ]);
  return { steps, panels, events };
}

/** The last event of a match that was no roll, or null. */
async function lastEvent({ moves }) {
  const last = moves.findLastIndex((move) => move.actor !== "chance");
  return last < 0 ? null : review.position(last + 1);
}

/** Show events, each with its animation; returns them in words. */
async function replay(events) {
  const words = [];
  for (const position of events) {
    if (!position.route) continue;
    board.trail(null);
    board.markLast(null);
    await board.animate(position.route);
    showEvent(position);
    showScore(position.score);
    if (position.wiped) await new Promise((done) => setTimeout(done, LOOK));
    words.push(write(texts.played, { side: texts[position.actor], move: position.text, ...position.score }));
  }
  return words;
}

// Playing

async function choose(space) {
  if (busy || review.active || !mine()) return;
  const known = await working(composer.choose(space));
  const { task, key } = composer.guidance;
  panel.say([board.labelOf(space), known ? texts[key] ?? task : texts.nowhere].join(". "));
}

async function play(actions) {
  if (busy || !actions) return;
  busy = true;
  panel.refuse(null);
  showPanel();
  const { news, refusal } = await send(actions);
  busy = false;
  const followed = news ? follow(news) : get(addresses.match).then((stored) => follow(stored));
  const shown = await followed.then(() => true, () => false);
  if (news && !shown) {
    composer.stop();
    panel.refuse({ rule: "", message: texts.stored });
  }
  showPanel();
  if (refusal) explain(refusal);
  live.ask(AFTER_OWN_MOVE);
}

/** Play one action after the other: the match after them as `news`, or why one of them was refused as `refusal`. */
async function send(actions) {
  try {
    let answer = { match };
    for (const text of actions) answer = await post(addresses.moves, { ply: answer.match.ply, text });
    byId("typed").elements.text.value = "";
    return { news: answer.match };
  } catch (refusal) {
    return { refusal };
  }
}

function explain(error) {
  if (error instanceof Refusal) panel.refuse(error);
  else if (error instanceof TypeError) panel.refuse({ rule: "", message: texts.offline });
  else throw error;
}

// Buttons and links

function offerSharing() {
  const share = byId("share");
  share.hidden = !navigator.clipboard;
}

document.addEventListener("click", async (event) => {
  const entry = event.target.closest("#moves [data-ply]");
  if (entry && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    review.go(Number(entry.dataset.ply));
  }
  if (event.target.closest("#share")) {
    await navigator.clipboard.writeText(location.href);
    byId("share").textContent = texts.copied;
  }
});
byId("review-end").addEventListener("click", (event) => {
  event.preventDefault();
  review.go(match.ply);
});
byId("confirm").addEventListener("click", () => working(play(composer.ready)));
byId("undo").addEventListener("click", () => composer.undo());
byId("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  working(play([event.target.elements.text.value.trim()]));
});
byId("flip").addEventListener("click", () => {
  board.turnRound();
  document.querySelector(".stage").classList.toggle("flipped");
});

offerSharing();
clocks.set(match, Date.parse(page.now) - Date.now());
if (review.active) showPanel();
else working(showNow());
