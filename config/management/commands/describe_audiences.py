"""``manage.py describe_audiences``: writes the page that says who hears what."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from streams.audiences import write_table


class Command(BaseCommand):
    """Writes the table of audiences."""

    help = "Write the page of the documentation that says who hears of which change, and how."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the file to be written."""
        parser.add_argument("--file", type=Path, required=True, help="the page to be written")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write it."""
        options["file"].write_text(write_table())
