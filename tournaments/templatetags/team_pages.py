"""Tags and filters about teams."""

from tournaments.teams.template_tags import register

__all__ = ["register"]
