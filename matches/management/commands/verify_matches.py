"""``manage.py verify_matches``: check that everything stored of matches follows from their moves."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from database.clock import read_clock
from matches.models import Match
from matches.services.verification import verify_match

BATCH = 200


class Command(BaseCommand):
    """Derives every match once more from its moves."""

    help = (
        "Derives positions, clocks, results and dice of every match once more from its moves, reports each "
        "difference from what is stored, and ends with status 1 if there is any."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take one option: a single match."""
        parser.add_argument("--match", type=int, metavar="ID", help="verify this match only")

    def handle(self, *args: Any, match: int | None = None, **options: Any) -> None:
        """Verify the matches; raises ``CommandError`` when something is wrong."""
        stored = Match.objects.select_related("yellow", "red").order_by("pk")
        matches = stored.prefetch_related("moves", "clock_extensions__vacation_day")
        if match is not None:
            matches = matches.filter(pk=match)
        verified = wrong = 0
        for one in matches.iterator(chunk_size=BATCH):
            faults = verify_match(match=one, now=read_clock())
            for fault in faults:
                self.stdout.write(f"Match {one.pk}: {fault}")
            verified += 1
            wrong += bool(faults)
        if match is not None and not verified:
            raise CommandError(f"There is no match {match}.")
        if wrong:
            raise CommandError(f"Not borne out by their moves: {wrong} of {verified}.")
        self.stdout.write(self.style.SUCCESS(f"Borne out by their moves: {verified}."))
