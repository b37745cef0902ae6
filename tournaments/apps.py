"""The tournaments app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    """Everything that creates matches and counts them."""

    name = "tournaments"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        """Listen to matches that end, and know how mails about competitions are written."""
        from tournaments import receivers  # noqa: F401, PLC0415
