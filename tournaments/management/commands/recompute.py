"""``manage.py recompute``: tables, positions and ratings are what the results alone give."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from players.snapshots import snapshot
from rules_engine.registry import SPECS
from tournaments.models import Event
from tournaments.services.catch_up import catch_up
from tournaments.services.locking import lock_event
from tournaments.services.ratings import rate_waiting, recompute_ratings
from tournaments.services.recounting import recount_event
from tournaments.services.settlement import settle_finished
from tournaments.services.standings import recompute_wanted
from tournaments.services.verifying import (
    verify_event,
    verify_ratings,
    verify_settled,
    waiting_in_event,
    waiting_in_family,
)


class Command(BaseCommand):
    """Makes anew, or compares, what is stored beside the results."""

    help = (
        "Makes the tables and ties of all events, the positions of challenge ladders and all ratings anew from the "
        "results. With --check it changes nothing, reports each difference, and ends with status 1 if there is any; "
        "what waits to be counted is named, and is no difference."
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
        for event_id in Event.objects.order_by("pk").values_list("pk", flat=True):
            with transaction.atomic():
                event = lock_event(event_id=event_id)
                catch_up(event=event, now=now)
                recount_event(event=event, now=now)
        while settle_finished(now=now):
            pass
        for family in _families():
            recompute_ratings(family=family, now=now)
        rate_waiting(now=now)
        while recompute_wanted(now=now):
            pass

    def compare(self) -> None:
        """Report what the results do not bear out, and what waits."""
        faults, waiting = verify_settled(), []
        events = list(Event.objects.order_by("pk").values_list("pk", flat=True))
        for event_id in events:
            with snapshot():
                event, now = Event.objects.get(pk=event_id), timezone.now()
                waits = waiting_in_event(event=event, now=now)
                faults += [] if waits else verify_event(event=event, now=now)
                waiting += waits
        for family in _families():
            with snapshot():
                waits = waiting_in_family(family=family)
                faults += [] if waits else verify_ratings(family=family)
                waiting += waits
        for sentence in [*waiting, *faults]:
            self.stdout.write(sentence)
        if faults:
            raise CommandError(f"{len(faults)} differences from what the results give.")
        told = f"The tables of {len(events)} events and all ratings are what the results give"
        told += f", but for {len(waiting)} that wait to be counted." if waiting else "."
        self.stdout.write(self.style.SUCCESS(told))


def _families() -> list[str]:
    return sorted(SPECS)
