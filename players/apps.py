"""The players app."""

from importlib import import_module

from django.apps import AppConfig


class PlayersConfig(AppConfig):
    """Accounts, guests and API tokens."""

    name = "players"

    def ready(self) -> None:
        """Register receivers when the models are loaded."""
        import_module("players.recent_password")
        import_module("players.receivers")
        import_module("players.services.password_mails")
