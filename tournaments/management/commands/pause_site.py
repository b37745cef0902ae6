"""``manage.py pause_site``: stop all clocks, as for a maintenance."""

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from database.clock import read_clock
from matches.errors import SitePauseRefused
from matches.services.site_pauses import pause_site
from tournaments.decisions.services.site_pauses import complete_site_pauses
from web.moments import read_moment


class Command(BaseCommand):
    """Pauses every running match of the site."""

    help = "Stop the clocks of all running matches until resume_site. Nobody can move, and nothing expires."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the reason, and until when it is expected to last."""
        parser.add_argument("--reason", default="", help="why, as players read it")
        parser.add_argument("--until", type=read_moment, help="when it should be over: 2026-11-28T12:00Z for example")

    def handle(self, *args: Any, reason: str, until: datetime | None, **options: Any) -> None:
        """Pause the site; raises ``CommandError`` if it is paused."""
        now = read_clock()
        try:
            pause_site(reason=reason, actor=None, now=now, expected_until=until)
        except SitePauseRefused as error:
            raise CommandError(str(error)) from None
        stopped = complete_site_pauses(now=now)
        self.stdout.write(self.style.SUCCESS(f"The site is paused, and {stopped} matches with it."))
