"""The tournaments app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    """Everything that creates matches and counts them."""

    name = "tournaments"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        """Connect the receivers, and register the writers of mails about competitions."""
        from tournaments import receivers  # noqa: F401, PLC0415
