"""How long matches take, by those that people have played to the end lately."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from statistics import median

from matches.clock import DAY, SECOND
from matches.models import Match, Status
from rules_engine.values import Ending

MAX_ASKED = 1000
"""The last finished matches that are looked through, of all games together."""

LEAST = 10
"""The fewest matches of a game and a pace that say something."""

_COLUMNS = ("game", "created_at", "finished_at", "ending", "time_bank", "yellow__is_computer", "red__is_computer")

_CUT_SHORT = (
    Ending.RESIGNATION,
    Ending.TIMEOUT,
    Ending.FORFEIT,
    Ending.ADJUDICATION,
    Ending.AGREEMENT,
    Ending.CANCELLED,
)


@dataclass(frozen=True, slots=True)
class Length:
    """How long matches of a game have taken here from the first move to the last, ``None`` where few have ended."""

    live: timedelta | None = None
    by_turns: timedelta | None = None

    @property
    def live_minutes(self) -> int | None:
        """Return the minutes of a live match, at least one, ``None`` if they are not known."""
        return None if self.live is None else max(1, round(self.live / timedelta(minutes=1)))

    @property
    def weeks_by_turns(self) -> int | None:
        """Return the weeks of a match by turns, at least one, ``None`` if they are not known."""
        return None if self.by_turns is None else max(1, round(self.by_turns / timedelta(weeks=1)))


def usual_lengths() -> dict[str, Length]:
    """Return the median lengths of the matches between people that were played to the end, by the key of the game."""
    # Computers are left out here: on a site where most play them the query would go through all matches.
    lately = Match.objects.filter(status=Status.FINISHED).order_by("-finished_at")
    taken = defaultdict[tuple[str, bool], list[timedelta]](list)
    for game, created_at, finished_at, ending, bank, *computers in lately.values_list(*_COLUMNS)[:MAX_ASKED]:
        if ending not in _CUT_SHORT and not any(computers):
            taken[game, bank < DAY // SECOND].append(finished_at - created_at)
    games = {game for game, _is_live in taken}
    return {game: Length(live=_median(taken[game, True]), by_turns=_median(taken[game, False])) for game in games}


def _median(lengths: Iterable[timedelta]) -> timedelta | None:
    seconds = [length.total_seconds() for length in lengths]
    return timedelta(seconds=median(seconds)) if len(seconds) >= LEAST else None
