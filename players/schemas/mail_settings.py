"""Mail settings in JSON."""

from __future__ import annotations

from typing import TypedDict

from players.models import MailSettings


class MailSettingsSchema(TypedDict):
    """The mails that a player gets."""

    turns: bool
    """True if mails say that it is the player's turn."""
    ends: bool
    """True if mails say that a match of the player is over."""
    competitions: bool
    """True if mails bring news of what the player plays in."""
    organising: bool
    """True if mails bring news of what the player organises."""
    teams: bool
    """True if mails say that a team invites the player."""
    deadlines: bool
    """True if mails come before the player's time runs out."""
    reminder_hours: list[int]
    """The numbers of hours before a deadline at which a reminder is sent."""


def mail_settings_to_json(settings: MailSettings) -> MailSettingsSchema:
    """Return which mails a player gets."""
    return {
        "turns": settings.turns,
        "ends": settings.ends,
        "competitions": settings.competitions,
        "organising": settings.organising,
        "teams": settings.teams,
        "deadlines": settings.deadlines,
        "reminder_hours": settings.reminder_hours,
    }
