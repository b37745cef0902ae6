// What every page does: says whose turn it is, leads to games that were taken, and keeps its lists as they are.

import { followLists } from "./lists.js";
import { stream } from "./shared-stream.js";
import { followTaken } from "./taken.js";
import { followTurns } from "./turns.js";

followLists(stream);
if (stream.hasPlayer) {
  followTurns(stream);
  followTaken(stream);
}
