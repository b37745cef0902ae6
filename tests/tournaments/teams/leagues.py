"""Leagues of teams in tests."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from players.models import Player
from rules_engine.values import Side
from tests.tournaments.competitions.running import NOON, end, make_cup, make_players, running, start
from tests.tournaments.tables import recompute_tables
from tournaments.models import Cup, Entry, MembershipStatus, Standing, Team, TeamMembership
from tournaments.services.teams.entries import enter_team
from tournaments.services.teams.teams import found_team


def make_teams(count: int, members: int) -> list[Team]:
    """Return teams with so many members each, the captain among them."""
    teams = []
    for number in range(1, count + 1):
        captain, *others = make_players(members, f"team-{number}")
        team = found_team(
            name=f"Team {number}",
            pattern="plain",
            first_colour="red",
            second_colour="white",
            captain=captain,
            now=NOON,
        )
        TeamMembership.objects.bulk_create(
            TeamMembership(team=team, player=each, status=MembershipStatus.MEMBER, invited_at=NOON, joined_at=NOON)
            for each in others
        )
        teams.append(team)
    return teams


def members(team: Team) -> list[Player]:
    """Return the members of a team, the captain first."""
    found = Player.objects.filter(team_memberships__team=team, team_memberships__status=MembershipStatus.MEMBER)
    return list(found.order_by("pk"))


def make_league(boards: int = 4, **options: Any) -> Cup:
    """Return a league of teams that is open for entry."""
    league: Cup = make_cup(
        slug="league",
        name="League",
        format="round-robin",
        tiebreaks=[],
        round_days=7,
        seeding="draw",
        boards=boards,
        **options,
    )
    return league


def enter(league: Cup, team: Team, now: datetime = NOON, count: int | None = None) -> Entry:
    """Let a captain enter the first members of a team, so many as there are boards, or ``count``."""
    most = count if count is not None else league.boards
    players = [each.pk for each in members(team)][:most]
    return enter_team(competition_id=league.pk, team_id=team.pk, players=players, actor=team.captain, now=now)


def start_league(
    teams: list[Team], boards: int = 4, *, now: datetime = NOON, **options: Any
) -> tuple[Cup, list[Entry]]:
    """Return a running league of teams, and the entries in their order."""
    league = make_league(boards, **options)
    entries = [enter(league, team) for team in teams]
    start(league, now)
    return league, entries


def play_round(league: Cup, *, at: datetime, winner: Side | None = Side.YELLOW) -> int:
    """End all matches that go on so, and return how many they were."""
    fixtures = running(league)
    for fixture in fixtures:
        end(fixture, winner, at)
    return len(fixtures)


def rows(league: Cup) -> dict[str, Standing]:
    """Return the rows of the table by the names of the teams, after it was made."""
    recompute_tables(competition_id=league.pk, now=NOON + timedelta(days=365))
    found = Standing.objects.filter(group__stage__competition=league).select_related("seat__entry__team")
    return {row.seat.entry.team.name: row for row in found}
