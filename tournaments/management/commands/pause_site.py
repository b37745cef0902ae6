"""``manage.py pause_site``: stop all clocks, as for a maintenance."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from database.clock import read_clock
from matches.errors import SitePauseRefused
from matches.services.site_pauses import pause_site
from tournaments.decisions.services.site_pauses import complete_site_pauses


class Command(BaseCommand):
    """Pauses every running match of the site."""

    help = "Stop the clocks of all running matches until resume_site. Nobody can move, and nothing expires."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the reason."""
        parser.add_argument("--reason", default="", help="why")

    def handle(self, *args: Any, reason: str, **options: Any) -> None:
        """Pause the site; raises ``CommandError`` if it is paused."""
        now = read_clock()
        try:
            pause_site(reason=reason, actor=None, now=now)
        except SitePauseRefused as error:
            raise CommandError(str(error)) from None
        stopped = complete_site_pauses(now=now)
        self.stdout.write(self.style.SUCCESS(f"The site is paused, and {stopped} matches with it."))
