"""Players in JSON."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict

from players.models import Player


class PlayerSummarySchema(TypedDict):
    """A player inside another resource."""

    username: str
    is_computer: bool
    is_guest: bool


class PlayerSchema(TypedDict):
    """The public profile of a player."""

    username: str
    url: str
    """The player's page."""
    is_guest: bool
    is_computer: bool
    is_closed: bool
    """True if the account is closed. Its results stay."""
    level: str
    """The level of a computer of this site; empty for everybody else."""
    date_joined: datetime


class OwnPlayerSchema(PlayerSchema):
    """The player's own profile."""

    email: str
    """Empty where there is none."""
    email_confirmed: bool
    """True if the player has shown that the e-mail is theirs."""
    may_be_entered: bool
    """True if organisers may enter the player in competitions without asking first."""


def player_summary_to_json(player: Player) -> PlayerSummarySchema:
    """Return who somebody is."""
    return {"username": player.username, "is_computer": player.is_computer, "is_guest": player.is_guest}


def player_to_json(player: Player) -> PlayerSchema:
    """Return what everybody may know about a player."""
    return {
        "username": player.username,
        "url": player.get_absolute_url(),
        "is_guest": player.is_guest,
        "is_computer": player.is_computer,
        "is_closed": not player.is_active,
        "level": player.level,
        "date_joined": player.date_joined,
    }


def own_player_to_json(player: Player) -> OwnPlayerSchema:
    """Return what players may know about themselves."""
    return {
        **player_to_json(player),
        "email": player.email,
        "email_confirmed": player.email_confirmed_at is not None,
        "may_be_entered": player.may_be_entered,
    }
