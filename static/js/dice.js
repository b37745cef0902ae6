// The check of a finished match's dice: computes every roll again from the seed and the moves, as docs/dice.md says.

import { byId, dataOf, find, readData } from "./page.js";

/** @typedef {[text: string, share: number][]} Outcomes */
/** @typedef {{ply: number, number: number, outcomes: Outcomes}} Roll */
/** @typedef {{actor: string, text: string}} Move */
/** @typedef {{rolls: number | null, commitment: string, seed: string}} Seed - of the rolls before this number */

const VERSION = "kickabout dice v1";
const DIGEST_VALUES = 1n << 256n;

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);
/** @param {ArrayBuffer} buffer */
const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {string} text */
const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
/** @param {BufferSource} data */
const sha256 = async (data) => hex(await crypto.subtle.digest("SHA-256", data));

/**
 * Return the outcome that a digest selects (`outcomes` are pairs of a text and its share), or null to draw again.
 *
 * @param {string} digest
 * @param {Outcomes} outcomes
 */
const pick = (digest, outcomes) => {
  const shares = BigInt(outcomes.reduce((sum, [, share]) => sum + share, 0));
  const value = BigInt(`0x${digest}`);
  if (value >= DIGEST_VALUES - (DIGEST_VALUES % shares)) return null;
  let number = value % shares;
  for (const [text, share] of outcomes) {
    number -= BigInt(share);
    if (number < 0n) return text;
  }
  return null;
};

/**
 * @param {CryptoKey} key
 * @param {number} match
 * @param {number} number
 * @param {string} chain
 * @param {Outcomes} outcomes
 */
const draw = async (key, match, number, chain, outcomes) => {
  for (let attempt = 0; ; attempt += 1) {
    const message = `${VERSION}|${match}|${number}|${chain}|${attempt}`;
    const face = pick(hex(await crypto.subtle.sign("HMAC", key, bytes(message))), outcomes);
    if (face !== null) return face;
  }
};

/** @param {string} seed */
const keyOf = (seed) =>
  crypto.subtle.importKey("raw", fromHex(seed), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

/**
 * Return whether the seeds are the committed ones, and for each roll whether its seed gives it.
 *
 * @param {{match: number, seeds: Seed[], moves: Move[], rolls: Roll[]}} proof
 */
const verify = async ({ match, seeds, moves, rolls }) => {
  const keys = await Promise.all(seeds.map(({ seed }) => keyOf(seed)));
  /** @param {number} number */
  const keyOfRoll = (number) => keys[seeds.findIndex(({ rolls: until }) => until === null || number < until)];
  /** @type {boolean[]} */
  const results = [];
  let chain = await sha256(bytes(`${VERSION}|${match}`));
  for (const [ply, { actor, text }] of moves.entries()) {
    const roll = rolls[results.length];
    if (roll?.ply === ply) results.push(text === (await draw(keyOfRoll(roll.number), match, roll.number, chain, roll.outcomes)));
    chain = await sha256(bytes(`${chain}|${actor}|${text}`));
  }
  const seals = await Promise.all(seeds.map(async (each) => (await sha256(fromHex(each.seed))) === each.commitment));
  return { sealed: seals.every(Boolean), results };
};

const { sealed, results } = await verify(readData("page-data"));
for (const [number, holds] of results.entries()) {
  const cell = find(document, `[data-roll="${number}"]`, HTMLElement);
  cell.textContent = holds ? "✓" : "✗";
  cell.className = holds ? "holds" : "fails";
}
const verdict = byId("browser-verdict");
verdict.textContent = sealed && results.every(Boolean) ? dataOf(verdict, "good") : dataOf(verdict, "bad");
