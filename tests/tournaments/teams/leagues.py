"""Leagues of teams in tests."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from players.models import Player
from rules_engine.values import Side
from tests.tournaments.verbs import NOON, end, make_cup, recompute_tables, running, start
from tournaments.entries.services.team_entries import enter_team
from tournaments.models import Cup, Entry, LineUp, MembershipStatus, Standing, Team, TeamMembership
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.running.services.entry_rows import make_entry, store_entries
from tournaments.teams.selectors.teams import fold_team_name


def make_teams(count: int, members: int, *, first: int = 1) -> list[Team]:
    """Return teams with so many members each, the captain among them, numbered from the ``first``.

    All are stored at once.
    """
    numbers = range(first, first + count)
    players = Player.objects.bulk_create(
        Player(username=f"team-{number}-{member}", date_joined=NOON)
        for number in numbers
        for member in range(1, members + 1)
    )
    of_teams = [players[first : first + members] for first in range(0, len(players), members)]
    teams = Team.objects.bulk_create(
        Team(
            slug=f"team-{number}",
            name=f"Team {number}",
            folded_name=fold_team_name(f"Team {number}"),
            pattern="plain",
            first_colour="red",
            second_colour="white",
            captain=own[0],
            created_at=NOON,
        )
        for number, own in zip(numbers, of_teams, strict=True)
    )
    TeamMembership.objects.bulk_create(
        TeamMembership(team=team, player=each, status=MembershipStatus.MEMBER, invited_at=NOON, joined_at=NOON)
        for team, own in zip(teams, of_teams, strict=True)
        for each in own
    )
    return teams


def members(team: Team) -> list[Player]:
    """Return the members of a team, the captain first."""
    found = Player.objects.filter(team_memberships__team=team, team_memberships__status=MembershipStatus.MEMBER)
    return list(found.order_by("pk"))


def reach(*players: Player) -> None:
    """Let mails reach these players."""
    for player in players:
        Player.objects.filter(pk=player.pk).update(email=f"{player}@example.org", email_confirmed_at=NOON)


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


def enter_all(competition: Cup, teams: Sequence[Team], now: datetime = NOON, count: int | None = None) -> list[Entry]:
    """Let the captains enter these teams as ``enter`` does, in this order, but all of them at once."""
    with transaction.atomic():
        locked = lock_competition(competition_id=competition.pk)
        entries = [make_entry(competition=locked, player=team.captain, now=now, is_there=True) for team in teams]
        for entry, team in zip(entries, teams, strict=True):
            entry.team = team
        store_entries(competition=locked, entries=entries, now=now)
        seated = TeamMembership.objects.filter(team__in=teams, status=MembershipStatus.MEMBER).order_by("player")
        by_team: dict[int, list[int]] = defaultdict(list)
        for team_id, player in seated.values_list("team", "player"):
            by_team[team_id].append(player)
        LineUp.objects.bulk_create(
            LineUp(entry=each, players=by_team[each.team_id][: count or locked.boards], set_by=each.player, set_at=now)
            for each in entries
        )
        for entry in entries:
            log_action(competition=locked, action="joined", actor=entry.player, subject=str(entry), now=now)
    return entries


def start_league(
    teams: list[Team], boards: int = 4, *, now: datetime = NOON, **options: Any
) -> tuple[Cup, list[Entry]]:
    """Return a running league of teams, and the entries in their order."""
    league = make_league(boards, **options)
    entries = enter_all(league, teams)
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
