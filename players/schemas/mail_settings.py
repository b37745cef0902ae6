"""Mail settings in JSON."""

from __future__ import annotations

from typing import TypedDict

from players.models import MailSettings


class MailSettingsSchema(TypedDict):
    """Which mails a player gets."""

    turns: bool
    """When it is the player's turn."""
    ends: bool
    """When a match of the player is over."""
    competitions: bool
    """News of what the player plays in."""
    organising: bool
    """News of what the player organises."""
    teams: bool
    """When a team invites the player."""
    deadlines: bool
    """Before the player's time runs out."""
    reminder_hours: list[int]
    """How many hours before a deadline a reminder is sent."""


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
