"""The matches app."""

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    """One match between two players."""

    name = "matches"

    def ready(self) -> None:
        """Listen to matches that end, and know how mails about matches are written."""
        from matches import receivers  # noqa: F401, PLC0415
        from matches.services import mail_writers  # noqa: F401, PLC0415
