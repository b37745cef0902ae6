"""The facts compared when something was decided and taken back: all that follows from results and decisions."""

from datetime import datetime
from typing import Any

from formats.protocol import Flow
from matches.models import Match
from players.models import Player, Rating
from tests.tournaments.teams.cups import make_team_cup
from tests.tournaments.teams.leagues import enter_all as enter_teams
from tests.tournaments.teams.leagues import make_league, make_teams
from tests.tournaments.verbs import (
    NOON,
    enter_all,
    make_cup,
    make_ladder,
    make_players,
    pair,
    recompute_tables,
    running,
    start,
)
from tournaments.models import (
    Competition,
    Entry,
    Fixture,
    Group,
    Ladder,
    PlaceChange,
    Round,
    Seat,
    Standing,
    Tie,
    Title,
)
from tournaments.running.services.next_rounds import pair_due_rounds
from tournaments.running.services.settlement import settle_finished
from tournaments.running.services.verification import verify_competition, verify_ratings, verify_settled
from tournaments.tables.services.ratings import rate_waiting

FORMATS: dict[str, dict[str, Any]] = {
    "knock-out": {"legs": 1, "third_place": True},
    "two legs": {"legs": 2, "replays": 1},
    "knock-out in rounds": {"legs": 1, "round_days": 7},
    "double elimination": {"format": "double-elimination"},
    "round robin": {"format": "round-robin"},
    "round robin in rounds": {"format": "round-robin", "round_days": 7},
    "swiss": {"format": "swiss", "rounds": 3},
    "groups then knock-out": {
        "format": "round-robin",
        "grouping": {"size": 3},
        "advance": {"first": 2},
        "later": [{"format": "knock-out", "legs": 1}],
    },
    "points ladder": {"rematch_days": 0, "min_matches": 1},
    "challenge ladder": {"format": "challenge-ladder", "rematch_days": 0},
}

_MINI_CUP: dict[str, Any] = {
    "format": "round-robin",
    "cycles": 2,
    "grouping": {"whenever": 3},
    "advance": {"first": 0, "above_percent": 50, "levels": 99},
    "late_entry": True,
}
RECIPES: dict[str, dict[str, Any]] = FORMATS | {
    "mini cup": _MINI_CUP,
    "leagues": {"format": "round-robin", "grouping": {"league_size": 6}, "round_days": 7},
    "leagues with play-offs": {
        "format": "round-robin",
        "grouping": {"league_size": 4, "last_promoted": 1, "last_to_stay": 3},
        "advance": {"first": 0, "play_offs": 1},
        "later": [{"format": "knock-out", "legs": 1, "grouping": {"size": 3}}],
    },
    "league of teams": {},
    "knock-out of teams": {"seeding": "draw"},
}
"""The formats, and other ways to put them together."""

BY_HAND: dict[str, dict[str, Any]] = {
    "swiss by hand": FORMATS["swiss"] | {"byes_on_request": True, "organisers_publish": True}
}
"""One whose rounds organisers publish."""


def gather(name: str, size: int, now: datetime = NOON, *, organiser: Player | None = None) -> Competition:
    """Return a competition of this format, or put together so, that is open for entry, and whose matches are rated."""
    options = (RECIPES | BY_HAND)[name] | {"is_rated": True, "organiser": organiser}
    if "teams" in name:
        of_teams = (make_league if "league" in name else make_team_cup)(2, **options)
        enter_teams(of_teams, make_teams(size, 3), now)
        return of_teams
    competition: Competition = make_ladder(**options) if "ladder" in name else make_cup(tiebreaks=[], **options)
    enter_all(competition, make_players(size), now)
    return competition


def begin(name: str, size: int, now: datetime = NOON, *, organiser: Player | None = None) -> Competition:
    """Return a running competition of this format, or put together so, whose matches are rated."""
    competition = gather(name, size, now, organiser=organiser)
    start(competition, now)
    go_on(competition, now)
    return competition


def go_on(competition: Competition, now: datetime, *, pairs: bool = True) -> None:
    """Let the workers do what there is to do, but for new pairings if these are to wait."""
    settle_finished(now=now)
    if pairs:
        pair_due_rounds(now=now)
    recompute_tables(competition_id=competition.pk, now=now)
    if pairs and isinstance(competition, Ladder) and not running(competition):
        pair(competition, now=now)
    rate_waiting(now=now)
    competition.refresh_from_db()


NAME = "player__username"


def state_of(competition: Competition) -> dict[str, Any]:
    """Return what follows from results and decisions, by players."""
    fixtures = Fixture.objects.filter(competition=competition, is_annulled=False).select_related(
        "match", "round", "yellow__player", "red__player"
    )
    ties = Tie.objects.filter(round__group__stage__competition=competition)
    seats = Seat.objects.filter(stage__competition=competition)
    table = Standing.objects.filter(group__stage__competition=competition)
    history = PlaceChange.objects.filter(seat__stage__competition=competition, seat__stage__format="challenge-ladder")
    fresh = Competition.objects.get(pk=competition.pk)
    return {
        "competition": (fresh.status, fresh.winner_id),
        "titles": sorted(Title.objects.filter(competition=competition).values_list(NAME, "kind", "family", "won_at")),
        "groups": sorted(
            (group.stage.number, group.number, group.ended_at is None)
            for group in Group.objects.filter(stage__competition=competition).select_related("stage")
        ),
        "rounds": sorted(
            (each.group.stage.number, each.group.number, each.number, each.started_at is None, each.ended_at is None)
            for each in Round.objects.filter(group__stage__competition=competition).select_related("group__stage")
            if each.group.stage.format_spec.flow is Flow.TIES
        ),
        "ties": sorted(
            ties.values_list(
                "round__number",
                "part",
                "slot",
                *(f"{each}__{NAME}" for each in ("first", "second", "winner")),
                "decided_by",
            ),
            key=str,
        ),
        "fixtures": sorted(
            (
                (
                    None if each.round is None else each.round.number,
                    each.leg,
                    each.yellow.player.username,
                    each.red.player.username,
                    each.ending,
                    each.points,
                    each.goals,
                    each.counted_at is None,
                )
                for each in fixtures
            ),
            key=str,
        ),
        "entries": sorted(
            Entry.objects.filter(competition=competition).values_list(NAME, "status", "left_at"), key=str
        ),
        "seats": sorted(
            seats.values_list("stage__number", "group__number", f"entry__{NAME}", "seed", "position"), key=str
        ),
        "table": sorted(table.values_list(f"seat__entry__{NAME}", "place", "played", "points", "goals_for"), key=str),
        "history": sorted(history.values_list(f"seat__entry__{NAME}", "place", "match", "changed_at"), key=str),
        "ratings": sorted(Rating.objects.values_list(NAME, "rating", "games", "wins", "rank")),
    }


def faults_of(competition: Competition, now: datetime) -> list[str]:
    """Return what is stored otherwise than results and decisions give it."""
    fresh = Competition.objects.get(pk=competition.pk)
    family = fresh.rules.family
    return verify_competition(competition=fresh, now=now) + verify_settled() + verify_ratings(family=family)


def everything(competition: Competition) -> dict[str, Any]:
    """Return all that follows from results and decisions, with the very matches that count, and their clocks."""
    counting = Fixture.objects.filter(competition=competition, is_annulled=False, match__isnull=False)
    matches = Match.objects.filter(pk__in=counting.values("match")).order_by("pk")
    return state_of(competition) | {
        "matches": list(matches.values_list("pk", "status", "ply", "bank_yellow", "bank_red", "annulled_at"))
    }


def assert_same(after: dict[str, Any], before: dict[str, Any]) -> None:
    """Assert, part by part, that everything is what it was before."""
    for part, expected in before.items():
        found = after[part]
        assert found == expected, (
            f"{part}: {[each for each in found if each not in expected]}, "
            f"not {[each for each in expected if each not in found]}"
        )
