"""The matches app."""

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    """One match between two players."""

    name = "matches"
