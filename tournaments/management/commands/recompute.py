"""``manage.py recompute``: tables, positions and ratings are what the results alone give."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from rules_engine.registry import GAMES
from tournaments.models import Event
from tournaments.services.locking import lock_event
from tournaments.services.ratings import rate_waiting, recompute_ratings
from tournaments.services.recounting import recount_event
from tournaments.services.settlement import settle_finished
from tournaments.services.standings import recompute_wanted
from tournaments.services.verifying import verify_event, verify_ratings, verify_settled


class Command(BaseCommand):
    """Makes anew, or compares, what is stored beside the results."""

    help = (
        "Makes the tables of all events, the positions of challenge ladders and all ratings anew from the results. "
        "With --check it changes nothing, reports each difference, and ends with status 1 if there is any."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Look only, or change."""
        parser.add_argument("--check", action="store_true", help="change nothing, report what differs")

    def handle(self, *args: Any, check: bool = False, **options: Any) -> None:
        """Recompute or compare; raises ``CommandError`` when something differs."""
        if not check:
            self.recompute()
        self.compare()

    def recompute(self) -> None:
        """Settle what is left, and make everything anew."""
        now = timezone.now()
        while settle_finished(now=now):
            pass
        for event in Event.objects.order_by("pk"):
            with transaction.atomic():
                recount_event(event=lock_event(event_id=event.pk), now=now)
        for family in _families():
            recompute_ratings(family=family, now=now)
        rate_waiting(now=now)
        while recompute_wanted(now=now):
            pass

    def compare(self) -> None:
        """Report what the results do not bear out."""
        now = timezone.now()
        faults = verify_settled()
        events = Event.objects.order_by("pk")
        for event in events:
            faults += verify_event(event=event, now=now)
        for family in _families():
            faults += verify_ratings(family=family)
        for fault in faults:
            self.stdout.write(fault)
        if faults:
            raise CommandError(f"{len(faults)} differences from what the results give.")
        self.stdout.write(
            self.style.SUCCESS(f"The tables of {len(events)} events and all ratings are what the results give.")
        )


def _families() -> list[str]:
    return sorted({game.family for game in GAMES.values()})
