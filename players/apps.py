"""The players app."""

from django.apps import AppConfig


class PlayersConfig(AppConfig):
    """Accounts, guests and API tokens."""

    name = "players"
