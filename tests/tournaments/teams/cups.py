"""Knock-outs of teams in tests."""

from datetime import datetime
from typing import Any

from django.db.models import Q

from matches.services.adjudication import adjudicate_match
from rules_engine.values import Side
from tests.tournaments.teams.leagues import enter_all
from tests.tournaments.verbs import NOON, make_cup, running, start
from tournaments.models import Cup, Entry, Fixture, Team, Tie
from tournaments.rounds.services.draws import keep_draw, preview_draw
from tournaments.running.services.settlement import settle_match


def make_team_cup(boards: int = 2, **options: Any) -> Cup:
    """Return a knock-out of teams that is open for entry."""
    usual = {"slug": "team-cup", "name": "Team cup", "format": "knock-out", "tiebreaks": [], "seeding": "hand"}
    cup: Cup = make_cup(**(usual | {"legs": 1, "replays": 0, "round_days": 7, "boards": boards} | options))
    return cup


def start_team_cup(
    teams: list[Team], boards: int = 2, *, now: datetime = NOON, **options: Any
) -> tuple[Cup, list[Entry]]:
    """Return a running knock-out of teams, and the entries, seeded in their order."""
    cup = make_team_cup(boards, **options)
    entries = enter_all(cup, teams)
    draw = preview_draw(competition=cup, seed=1, order=[entry.pk for entry in entries])
    keep_draw(competition=cup, draw=draw, actor=None, now=now)
    start(cup, now)
    return cup, entries


def let_win(cup: Cup, *winners: Entry, at: datetime) -> int:
    """End all boards that go on so that these teams win theirs, and return how many they were."""
    fixtures = running(cup)
    for fixture in fixtures:
        end_board(fixture, next(each for each in winners if each in (fixture.yellow, fixture.red)), at)
    return len(fixtures)


def end_board(fixture: Fixture, winner: Entry | None, at: datetime) -> None:
    """End a board so, and settle it."""
    side = None if winner is None else Side.YELLOW if fixture.yellow_id == winner.pk else Side.RED
    assert fixture.match_id is not None
    adjudicate_match(match_id=fixture.match_id, winner=side, now=at)
    settle_match(match_id=fixture.match_id, now=at)


def tie_of(*entries: Entry) -> Tie:
    """Return the tie in which two teams meet."""
    first, second = entries
    return Tie.objects.get(Q(first=first, second=second) | Q(first=second, second=first))


def boards_of(tie: Tie) -> list[Fixture]:
    """Return the boards of a tie that are not annulled, leg by leg."""
    fixtures = Fixture.objects.filter(tie=tie, is_annulled=False).order_by("leg", "board")
    return list(fixtures.select_related("yellow__team", "red__team", "yellow_player", "red_player", "round", "match"))
