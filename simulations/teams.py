"""Teams of a simulated competition: who is in them, their entries, and the line-ups that captains set or miss."""

import random
import secrets
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from formats.team_meetings import MIN_BOARDS
from players.models import Player
from tournaments.entries.services.line_ups import set_line_up
from tournaments.entries.services.team_entries import enter_team
from tournaments.models import Competition, Entry, EntryStatus, MembershipStatus, Round, Team, TeamMembership
from tournaments.teams.services.members import leave_team, remove_member
from web.errors import DomainError

SUBSTITUTES = 2
"""The number of members of each team who have no board at first."""

SHARE_OF_LINE_UPS = 0.5
"""The share of rounds for which a captain names a line-up; otherwise the last one holds."""

SHARE_OF_SHORT_LINE_UPS = 0.2
"""The share of line-ups that leave the last board empty."""


def enter_teams(competition: Competition, players: Sequence[Player], *, now: datetime) -> list[Entry]:
    """Make teams of these players, who may be computers, let their captains enter them, and return the entries.

    Players who are left over play for nobody.
    """
    size = (competition.boards or MIN_BOARDS) + SUBSTITUTES
    token = secrets.token_hex(3)
    entries = []
    for number in range(len(players) // size):
        members = players[number * size : (number + 1) * size]
        name = f"Team {token} {number + 1}"
        team = Team.objects.create(
            name=name,
            folded_name=name.casefold(),
            slug=f"team-{token}-{number + 1}",
            captain=members[0],
            created_at=now,
        )
        TeamMembership.objects.bulk_create(
            TeamMembership(team=team, player=each, status=MembershipStatus.MEMBER, invited_at=now, joined_at=now)
            for each in members
        )
        entries.append(_enter(competition, team, now))
    return entries


def enter_teams_again(season: Competition, last: Competition, *, now: datetime) -> list[Entry]:
    """Let the captains of those teams enter a season that were in the last one to its end; return their entries."""
    stayed = last.entries.filter(status=EntryStatus.ACTIVE, team__closed_at=None).order_by("pk").select_related("team")
    return [_enter(season, each.team, now) for each in stayed if each.team is not None]


def line_up_teams(competition: Competition, source: random.Random, *, now: datetime) -> None:
    """Let captains set line-ups for some of the rounds to come of a running competition, and one lose a member."""
    coming = Round.objects.filter(group__stage__competition=competition.pk, started_at=None).order_by("number")
    numbers = list(coming.values_list("number", flat=True))
    entries = list(competition.entries.filter(status=EntryStatus.ACTIVE).order_by("pk").select_related("team__captain"))
    for entry in entries:
        for number in numbers:
            if source.random() < SHARE_OF_LINE_UPS:
                _line_up(competition, entry, number, source, now)
    if entries and numbers:
        _lose_member(source.choice(entries), source, now)


def _enter(competition: Competition, team: Team, now: datetime) -> Entry:
    return enter_team(
        competition_id=competition.pk,
        team_id=team.pk,
        players=[each.player_id for each in _members(team)][: competition.boards],
        actor=team.captain,
        now=now,
    )


def _line_up(competition: Competition, entry: Entry, number: int, source: random.Random, now: datetime) -> None:
    if entry.team is None or competition.boards is None:
        return
    boards = competition.boards - (source.random() < SHARE_OF_SHORT_LINE_UPS)
    members = [each.player_id for each in _members(entry.team)]
    players = source.sample(members, min(boards, len(members)))
    # A round may have begun meanwhile.
    with suppress(DomainError):
        set_line_up(entry_id=entry.pk, round_number=number, players=players, actor=entry.team.captain, now=now)


def _lose_member(entry: Entry, source: random.Random, now: datetime) -> None:
    """Let a member leave a team, or be removed by the captain: their board is empty where a line-up names them."""
    if entry.team is None:
        return
    others = [each.player for each in _members(entry.team) if each.player_id != entry.team.captain_id]
    if not others:
        return
    gone = source.choice(others)
    if source.random() < SHARE_OF_LINE_UPS:
        leave_team(team_id=entry.team.pk, player=gone, now=now)
    else:
        remove_member(team_id=entry.team.pk, player=gone, actor=entry.team.captain, now=now)


def _members(team: Team) -> list[TeamMembership]:
    return list(team.memberships.filter(status=MembershipStatus.MEMBER).order_by("pk").select_related("player"))
