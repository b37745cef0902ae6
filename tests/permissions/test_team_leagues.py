"""Members of a team may do what their place in it allows in a league, while it runs and while it is a draft."""

from typing import Any

import pytest
from django.test import Client
from zeal import zeal_ignore

from players.models import Player
from tests.tournaments.teams.leagues import make_league, make_teams, members, start_league
from tests.tournaments.verbs import NOON
from tournaments.models import Competition, CompetitionStatus, Team

pytestmark = pytest.mark.django_db

API, PAGE = "/api/v1/competitions/league/", "/cups/league/"
ROLES = ("visitor", "stranger", "member", "captain", "rival", "organiser")
LINE_UP = {"round": 2, "team": "team-1", "players": ["team-1-2", "team-1-3"]}
"""A line-up of the captain's team. Captains of other teams can name none for it."""

RUNNING = {
    ("get", PAGE): (200, 200, 200, 200, 200, 200),
    ("get", f"{PAGE}organise/"): (302, 403, 403, 403, 403, 200),
    # Players who lead no team here have no line-up to name.
    ("get", f"{PAGE}line-up/"): (302, 404, 404, 200, 200, 404),
    ("get", f"{API}line-ups/"): (200, 200, 200, 200, 200, 200),
    ("get", f"{API}meetings/"): (200, 200, 200, 200, 200, 200),
    ("put", f"{API}line-up/"): (401, 404, 404, 200, 404, 404),
    ("post", f"{API}leave/"): (401, 404, 404, 200, 200, 404),
}
DRAFT = {
    ("get", PAGE): (404, 404, 404, 404, 404, 200),
    # The organiser leads no team that could join.
    ("get", f"{PAGE}team/"): (302, 404, 404, 404, 404, 404),
    ("get", f"{API}line-ups/"): (404, 404, 404, 404, 404, 200),
    ("get", f"{API}meetings/"): (404, 404, 404, 404, 404, 200),
    ("post", f"{API}enter-team/"): (401, 404, 404, 404, 404, 403),
}
BODIES: dict[str, Any] = {
    f"{API}line-up/": LINE_UP,
    f"{API}enter-team/": {"team": "team-1", "players": ["team-1-1", "team-1-2"]},
}


def ask_all(league: Competition, teams: list[Team], method: str, url: str) -> dict[str, int]:
    """Return the statuses for all roles, each of which asks first."""
    own, other, *_others = teams
    olga, stranger = (Player.objects.create(username=name, date_joined=NOON) for name in ("olga", "stranger"))
    league.organisers.add(olga)
    players = (None, stranger, members(own)[1], own.captain, other.captain, olga)
    statuses = []
    for player in players:
        client = Client()
        if player is not None:
            client.force_login(player)
        body = BODIES.get(url, {})
        sent = {} if method == "get" else {"data": body, "content_type": "application/json"}
        # Each of these requests would be its own; the tests of pages watch the queries.
        with zeal_ignore():
            statuses.append(getattr(client, method)(url, **sent).status_code)
    return dict(zip(ROLES, statuses, strict=True))


@pytest.mark.parametrize(("method", "url"), RUNNING)
def test_of_a_league_that_runs(method, url, time_machine):
    # Its rounds have dates.
    time_machine.move_to(NOON)
    # Two of them leave, and the others play on.
    teams = make_teams(4, 3)
    league, _entries = start_league(teams, boards=2, cycles=2)
    assert ask_all(league, teams, method, url) == dict(zip(ROLES, RUNNING[method, url], strict=True))


@pytest.mark.parametrize(("method", "url"), DRAFT)
def test_of_a_league_that_is_a_draft(method, url):
    teams, league = make_teams(2, 3), make_league(boards=2, status=CompetitionStatus.DRAFT)
    assert ask_all(league, teams, method, url) == dict(zip(ROLES, DRAFT[method, url], strict=True))
