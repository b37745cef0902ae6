"""Entrants who would go up and down in the leagues of a season if it ended now."""

from __future__ import annotations

from enum import StrEnum

from formats.grouping import MIN_SIZE, league_of, league_sizes
from formats.promotion import Newcomer, SeasonPlace, leagues_after
from tournaments.models import Seat, Stage
from tournaments.models.carry_overs import PROMOTION
from tournaments.models.elo import START
from tournaments.records.competitions import IN_COMPETITION
from tournaments.records.entrant_ratings import ratings_now


class LeagueMove(StrEnum):
    """The ways out of a league."""

    UP = "up"
    DOWN = "down"


def league_moves(stage: Stage) -> dict[int, LeagueMove]:
    """Return who would play in a higher or lower league next season, by entry id, as the tables are now.

    That is if all who are still in it play on, and nobody else comes. Nothing before a first result, where nobody
    goes up or down, and where too few are still in it for a group. Four queries for a season of leagues, none for
    anything else.
    """
    options, competition = stage.grouping_options, stage.competition
    if options is None or options.league_size is None or competition.series is None:
        return {}
    if competition.series.carry_over != PROMOTION:
        return {}
    size = options.league_size
    columns = ("entry_id", "group__number", "standing__place", "standing__played", "entry__status", "entry__draw")
    rows = list(Seat.objects.filter(stage=stage, group__started_at__isnull=False).values_list(*columns))
    if not any(played for _entry, _group, _place, played, _status, _lot in rows):
        return {}
    places = [
        SeasonPlace(entry, 1, league_of(group), group, place, still_in=status in IN_COMPETITION)
        for entry, group, place, _played, status, _lot in rows
    ]
    if sum(place.still_in for place in places) < MIN_SIZE:
        return {}
    ratings = ratings_now(competition)
    newcomers = [Newcomer(row[0], float(ratings.get(row[0], START)), row[-1]) for row in rows]
    after = leagues_after(newcomers, places, lambda count: list(map(sum, league_sizes(count, size))))
    now = {each.entrant: each.league for each in places}
    return {
        entry: LeagueMove.UP if league < now[entry] else LeagueMove.DOWN
        for entry, league in after.items()
        if league != now[entry]
    }
