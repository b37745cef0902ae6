// The script of every page: shows how many matches wait, opens games that were taken, and refreshes lists.

import { refreshLists } from "./live-lists.js";
import { stream } from "./shared-stream.js";
import { followTakenGames } from "./taken-games.js";
import { followTurnCount } from "./turn-badge.js";

refreshLists(stream);
if (stream.hasPlayer) {
  followTurnCount(stream);
  followTakenGames(stream);
}
