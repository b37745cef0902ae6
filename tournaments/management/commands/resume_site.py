"""``manage.py resume_site``: let all clocks run on that ``pause_site`` has stopped."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from database.clock import read_clock
from matches.errors import SitePauseRefused
from matches.services.site_pauses import resume_site
from tournaments.decisions.services.site_pauses import complete_site_pauses


class Command(BaseCommand):
    """Ends the pause of the site."""

    help = "Let the clocks run on that pause_site has stopped, with what they held. Dates of competitions move as well."

    def handle(self, *args: Any, **options: Any) -> None:
        """Resume the site; raises ``CommandError`` if it is not paused."""
        now = read_clock()
        try:
            resume_site(now=now)
        except SitePauseRefused as error:
            raise CommandError(str(error)) from None
        started = complete_site_pauses(now=now)
        self.stdout.write(self.style.SUCCESS(f"The site goes on, and {started} matches with it."))
