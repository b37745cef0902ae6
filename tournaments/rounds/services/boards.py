"""Players at the boards of teams: the line-ups in force decide when a round begins.

Callers hold the competition's lock.
"""

from __future__ import annotations

from collections.abc import Sequence

from players.models import Player
from tournaments.models import Fixture, Round
from tournaments.rounds.services.fixtures import store_fixtures
from tournaments.teams.selectors.line_ups import players_by_board


def man_boards(*, round: Round) -> None:  # noqa: A002
    """Let those sit at the boards of a round whom the line-ups name; at a board whose match has begun nothing changes.

    Boards of a team that has withdrawn are manned as well, for the case that this is taken back.
    """
    fixtures = list(Fixture.objects.filter(round=round, is_annulled=False, match=None).order_by("pk"))
    seat_players(fixtures=fixtures, number=round.number)
    store_fixtures(fixtures=fixtures, changed=["yellow_player", "red_player"])


def seat_players(*, fixtures: Sequence[Fixture], number: int) -> None:
    """Let those sit at these boards of one competition whom the line-ups in force in a round name; nothing is stored.

    Four queries.
    """
    if not fixtures:
        return
    entries = sorted({entry for each in fixtures for entry in (each.yellow_id, each.red_id)})
    seated = players_by_board(competition_id=fixtures[0].competition_id, entries=entries, number=number)
    players = Player.objects.in_bulk(set(seated.values()))
    for each in fixtures:
        each.yellow_player = players.get(seated.get((each.yellow_id, each.board), 0))
        each.red_player = players.get(seated.get((each.red_id, each.board), 0))
