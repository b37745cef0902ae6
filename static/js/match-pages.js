// The script of the pages on which players go from match to match: My turns, and the matches themselves.

import { exchangeInPlace } from "./in-place.js";
import { openMatch } from "./match.js";
import { stream } from "./shared-stream.js";

exchangeInPlace((cameInPlace) => {
  if (document.getElementById("match")) openMatch(cameInPlace);
  else stream.join({ at: null, matches: [], echoes: false });
  stream.ask();
});
