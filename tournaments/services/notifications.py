"""Notify players by mail of announcements, ends and new matches in their competitions.

The log entry, or the fixture, is the row to notify players of; ``is_notified`` changes in one transaction
with the outbox.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any

from django.db import transaction

from matches.games import find_game
from players.mail_links import absolute
from players.models import MailKind, Player
from players.services.mail_writers import writes
from players.services.outbox import Letter, post
from tournaments.models import Fixture, LogEntry
from tournaments.selectors.notifications import (
    begun_fixtures,
    lock_fixtures_to_notify,
    lock_log_lines_to_notify,
    players_in,
    players_of,
)

BATCH = 500


def send_news(*, now: datetime) -> int:
    """Notify players of announcements, of competitions that are over, and of new matches; return how many players.

    A player gets one mail about all of their matches that have begun since the last call.
    """
    return _notify_of_all_log_lines(now) + _notify_of_all_fixtures(now)


def _notify_of_all_log_lines(now: datetime) -> int:
    posted = 0
    while True:
        with transaction.atomic():
            entries = lock_log_lines_to_notify(limit=1)
            if not entries:
                return posted
            posted += _notify_of_log_line(entries[0], now)


def _notify_of_log_line(entry: LogEntry, now: datetime) -> int:
    LogEntry.objects.filter(pk=entry.pk).update(is_notified=True)
    letters = (
        Letter(player_id, MailKind.COMPETITION, f"competition:{entry.pk}:{player_id}", {"entry": entry.pk})
        for player_id in players_in(competition_id=entry.competition_id)
    )
    return post(letters=letters, now=now)


def _notify_of_all_fixtures(now: datetime) -> int:
    posted = 0
    while True:
        with transaction.atomic():
            fixtures = lock_fixtures_to_notify(limit=BATCH)
            if not fixtures:
                return posted
            posted += _notify_of_fixtures(fixtures, now)


def _notify_of_fixtures(fixtures: list[Fixture], now: datetime) -> int:
    Fixture.objects.filter(pk__in=[fixture.pk for fixture in fixtures]).update(is_notified=True)
    players = players_of(fixtures=fixtures)
    by_player: dict[int, list[int]] = defaultdict(list)
    for fixture in fixtures:
        for entry in (fixture.yellow_id, fixture.red_id):
            by_player[players[entry]].append(fixture.pk)
    letters = (
        Letter(player_id, MailKind.COMPETITION, f"fixtures:{player_id}:{own[0]}", {"fixtures": own})
        for player_id, own in by_player.items()
    )
    return post(letters=letters, now=now)


@writes(MailKind.COMPETITION)
def write_news(player: Player, about: dict[str, Any], now: datetime) -> dict[str, Any] | None:
    """Return what was logged, or the player's matches that have begun and go on."""
    if "entry" in about:
        return _write_entry(about["entry"])
    fixtures = begun_fixtures(player_id=player.pk, ids=about["fixtures"])
    begun = [_fixture_facts(fixture, player) for fixture in fixtures]
    return {"begun": begun, "competition": begun[0]["competition"]} if begun else None


def _write_entry(entry_id: int) -> dict[str, Any] | None:
    entry = LogEntry.objects.select_related("competition", "actor").filter(pk=entry_id).first()
    if entry is None:
        return None
    link = absolute(entry.competition.get_absolute_url())
    return {"entry": entry, "competition": entry.competition.name, "link": link}


def _fixture_facts(fixture: Fixture, player: Player) -> dict[str, Any]:
    opponent = fixture.red if fixture.yellow.player_id == player.pk else fixture.yellow
    path = "" if fixture.match is None else fixture.match.get_absolute_url()
    return {
        "competition": fixture.competition.name,
        "title": find_game(fixture.competition.game).title,
        "round": fixture.round,
        "opponent": opponent.player.username,
        "link": absolute(path),
    }
