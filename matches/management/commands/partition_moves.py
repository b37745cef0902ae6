"""``partition_moves``: divide the table of moves by match, make partitions ahead, move old ones elsewhere."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from matches.services.move_partitions import (
    analyse_moves,
    list_partitions,
    make_partitions,
    move_partitions,
    partition_moves,
)


class Command(BaseCommand):
    """Keep the partitions of the table of moves."""

    help = "Divide the table of moves by ranges of matches, make partitions ahead, and move old ones if asked."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the size of partitions, how many are made ahead, and which ones move where."""
        parser.add_argument("--size", type=int, default=1_000_000, help="matches in a partition (default: 1,000,000)")
        parser.add_argument("--ahead", type=int, default=2, help="partitions beyond the last match (default: 2)")
        parser.add_argument("--before", type=int, help="move the partitions of matches before this one")
        parser.add_argument("--tablespace", help="the PostgreSQL tablespace to which they move")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do what is missing, and print it."""
        if connection.vendor != "postgresql":
            raise CommandError("Only PostgreSQL has partitions.")
        if (options["before"] is None) != (options["tablespace"] is None):
            raise CommandError("--before and --tablespace belong together.")
        if options["size"] < 1 or options["ahead"] < 1:
            raise CommandError("--size and --ahead must be at least 1.")
        if not list_partitions():
            self.stdout.write(f"Partitioned: {partition_moves(size=options['size']).name} has all moves until now.")
        for made in make_partitions(size=options["size"], ahead=options["ahead"]):
            self.stdout.write(f"Made: {made.name}, from match {made.first} on.")
        if options["tablespace"] is not None:
            for moved in move_partitions(before=options["before"], tablespace=options["tablespace"]):
                self.stdout.write(f"Moved: {moved.name} to {options['tablespace']}.")
        analyse_moves()
