"""``manage.py recompute``: tables, positions and ratings are what the results alone give."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from database.clock import current_moment, read_clock
from database.snapshots import snapshot
from database.timeouts import unlimited
from rules_engine.registry import SPECS
from tournaments.models import Competition
from tournaments.office.services.locks import lock_competition
from tournaments.running.services.catch_up import catch_up
from tournaments.running.services.recount import recount_competition
from tournaments.running.services.settlement import settle_finished
from tournaments.running.services.verification import (
    verify_competition,
    verify_ratings,
    verify_settled,
    waiting_in_competition,
    waiting_in_family,
)
from tournaments.tables.services.ratings import rate_waiting, recompute_ratings
from tournaments.tables.services.standings import recompute_stale


class Command(BaseCommand):
    """Makes anew, or compares, what is stored beside the results."""

    help = (
        "Make the tables and ties of all competitions, the positions of challenge ladders and all ratings again from "
        "the results, and count the players of competitions. With --check, change nothing, report each difference, and "
        "end with status 1 if there is any. What still waits to be counted is reported, but is no difference."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option to check only."""
        parser.add_argument("--check", action="store_true", help="change nothing, report what differs")

    def handle(self, *args: Any, check: bool = False, **options: Any) -> None:
        """Recompute or compare; raises ``CommandError`` when something differs."""
        with unlimited():
            if not check:
                self.recompute()
            self.compare()

    def recompute(self) -> None:
        """Settle what is left, and make everything anew."""
        now = current_moment()
        for competition_id in Competition.objects.order_by("pk").values_list("pk", flat=True):
            with transaction.atomic():
                competition = lock_competition(competition_id=competition_id)
                catch_up(competition=competition, now=now)
                recount_competition(competition=competition, now=now)
        while settle_finished(now=now):
            pass
        for family in _families():
            recompute_ratings(family=family, now=now)
        rate_waiting(now=now)
        while recompute_stale(now=now):
            pass

    def compare(self) -> None:
        """Report what differs from the results, and what waits to be counted."""
        faults, waiting = verify_settled(), []
        competitions = list(Competition.objects.order_by("pk").values_list("pk", flat=True))
        for competition_id in competitions:
            with snapshot():
                competition, now = Competition.objects.get(pk=competition_id), read_clock()
                waits = waiting_in_competition(competition=competition, now=now)
                faults += [] if waits else verify_competition(competition=competition, now=now)
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
        summary = f"The tables of {len(competitions)} competitions and all ratings are what the results give"
        summary += f", but for {len(waiting)} that wait to be counted." if waiting else "."
        self.stdout.write(self.style.SUCCESS(summary))


def _families() -> list[str]:
    return sorted(SPECS)
