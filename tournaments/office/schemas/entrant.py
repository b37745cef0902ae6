"""Entrants in JSON: the status of an entry, and the name of its team."""

from __future__ import annotations

from typing import Literal, TypedDict

from tournaments.models import Team


class TeamNameSchema(TypedDict):
    """The name of a team, and where it is found."""

    slug: str
    name: str
    url: str


def team_name_to_json(team: Team | None) -> TeamNameSchema | None:
    """Return what a team is called, ``None`` for none."""
    return None if team is None else {"slug": team.slug, "name": team.name, "url": team.get_absolute_url()}


EntryStatusName = Literal["active", "on-hold", "gone", "replaced"]
