"""``manage.py mark_bounced``: stop mails to e-mails from which they came back."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from database.clock import current_moment
from players.services.bounces import mark_bounced


class Command(BaseCommand):
    """Marks e-mails as bounced; it can be run again."""

    help = "Write no more to these e-mail addresses until their players confirm them again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the e-mails."""
        parser.add_argument("emails", nargs="+", metavar="ADDRESS")

    def handle(self, *args: Any, emails: list[str], **options: Any) -> None:
        """Mark the e-mails, and say at how many accounts."""
        marked = mark_bounced(emails=emails, now=current_moment())
        self.stdout.write(self.style.SUCCESS(f"{marked} accounts have to confirm their e-mail address again."))
