// The script of every page: shows times in the reader's zone and how many matches wait, leads to the next of them, calls
// the player, opens games that were taken, and refreshes lists. It keeps what is shown without a connection.

import { followCalls } from "./calls.js";
import { refreshLists } from "./live-lists.js";
import { keepTimesLocal } from "./local-times.js";
import { followNextKey } from "./next-key.js";
import { keepOffline } from "./offline.js";
import { stream } from "./shared-stream.js";
import { followTakenGames } from "./taken-games.js";
import { followTurnCount } from "./turn-badge.js";

keepTimesLocal();
if (stream.hasPlayer) {
  followTurnCount(stream);
  followNextKey();
  followCalls(stream);
  // First of all the stream learns which games are waited for: what it has sent since the page was requested is made up for.
  followTakenGames(stream);
}
refreshLists(stream);
keepOffline(stream.player);
