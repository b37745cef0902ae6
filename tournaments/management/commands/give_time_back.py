"""``manage.py give_time_back``: let the time of an outage count for no clock."""

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from database.clock import read_clock
from matches.errors import SitePauseRefused
from matches.services.site_pauses import give_time_back
from tournaments.decisions.services.site_pauses import complete_site_pauses
from web.moments import read_moment


class Command(BaseCommand):
    """Gives the time of an outage back, once however often it is run."""

    help = (
        "Give every running match the time between two moments back, before any of them is lost on time, and move the "
        "dates of competitions. What was given back before is left out, so it can be run again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take both moments and the reason."""
        parser.add_argument(
            "--from", dest="begins_at", type=read_moment, required=True, help="such as 2026-11-28T10:00Z"
        )
        parser.add_argument("--to", dest="ends_at", type=read_moment, help="by default now")
        parser.add_argument("--reason", default="", help="why, as players read it")

    def handle(self, *args: Any, begins_at: datetime, ends_at: datetime | None, reason: str, **options: Any) -> None:
        """Give the time back; raises ``CommandError`` for a time that is not over or too long."""
        now = read_clock()
        try:
            parts = give_time_back(begins_at=begins_at, ends_at=ends_at or now, reason=reason, actor=None, now=now)
        except SitePauseRefused as error:
            raise CommandError(str(error)) from None
        for part in parts:
            self.stdout.write(
                f"Given back: {part.begins_at:%Y-%m-%d %H:%M:%S} to {part.ends_at:%Y-%m-%d %H:%M:%S} UTC."
            )
        changed = complete_site_pauses(now=now)
        self.stdout.write(self.style.SUCCESS(f"{changed} matches have their time back."))
