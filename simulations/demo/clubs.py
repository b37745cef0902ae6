"""The clubs of the demo season: founded and filled by their captains, who enter them and name line-ups."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from players.models import Player
from tournaments.entries.services.line_ups import set_line_up
from tournaments.entries.services.team_entries import enter_team
from tournaments.models import Competition, ShirtColour, ShirtPattern, Team
from tournaments.teams.services.members import accept_team_invitation, invite_to_team
from tournaments.teams.services.teams import found_team

CLUBS = (
    ("Canal Street", ShirtPattern.STRIPES, ShirtColour.RED, ShirtColour.WHITE),
    ("Harbour Lights", ShirtPattern.SASH, ShirtColour.NAVY, ShirtColour.YELLOW),
    ("North Yard", ShirtPattern.PLAIN, ShirtColour.GREEN, ShirtColour.WHITE),
    ("Old Mill", ShirtPattern.HALVES, ShirtColour.BLACK, ShirtColour.SKY),
    ("Red Lanterns", ShirtPattern.HOOPS, ShirtColour.ORANGE, ShirtColour.CLARET),
    ("Tram Depot", ShirtPattern.SLEEVES, ShirtColour.PURPLE, ShirtColour.WHITE),
)
SUBSTITUTES = 1


def found_clubs(*, players: Sequence[Player], count: int, boards: int, now: datetime) -> list[Team]:
    """Let players found so many clubs, invite others and join, and return the clubs. Each has a substitute."""
    size = boards + SUBSTITUTES
    clubs = []
    for number, (name, pattern, first_colour, second_colour) in enumerate(CLUBS[:count]):
        captain, *others = players[number * size : (number + 1) * size]
        club = found_team(
            name=_free_name(name),
            pattern=pattern,
            first_colour=first_colour,
            second_colour=second_colour,
            captain=captain,
            now=now,
        )
        for player in others:
            invite_to_team(team_id=club.pk, player=player, actor=captain, now=now)
            accept_team_invitation(team_id=club.pk, player=player, now=now)
        clubs.append(club)
    return clubs


def enter_clubs(*, league: Competition, clubs: Sequence[Team], now: datetime) -> None:
    """Let captains enter their clubs, with themselves at the first board."""
    for club in clubs:
        players = _members_of(club)[: league.boards]
        enter_team(competition_id=league.pk, team_id=club.pk, players=players, actor=club.captain, now=now)


def name_line_ups(*, league: Competition, now: datetime) -> None:
    """Let two captains of a league that has begun name line-ups: a board stays empty once, then a substitute plays."""
    entries = league.entries.order_by("pk").select_related("team__captain")
    for round_number, entry in enumerate(entries, start=1):
        if entry.team is None or round_number not in {2, 3}:
            continue
        first, second, *others = _members_of(entry.team)
        for number, players in ((round_number, [first, second]), (round_number + 1, [second, *others])):
            set_line_up(entry_id=entry.pk, round_number=number, players=players, actor=entry.team.captain, now=now)


def _members_of(club: Team) -> list[int]:
    """Return the ids of the members, the captain's first."""
    return list(club.memberships.filter(ended_at=None).order_by("pk").values_list("player", flat=True))


def _free_name(name: str) -> str:
    """Return a name for a club that no other has, on a site that has had a season."""
    number, free = 1, name
    while Team.objects.filter(folded_name=free.casefold()).exists():
        number += 1
        free = f"{name} {number}"
    return free
