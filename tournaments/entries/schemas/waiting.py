"""Waiting lists of competitions, in JSON."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict

from tournaments.models import WaitingPlayer
from tournaments.running.selectors.waiting_lists import place_on_list


class WaitingPlayerSchema(TypedDict):
    """A player on the waiting list, as organisers see it."""

    id: int
    player: str
    joined_at: datetime
    checked_in_at: datetime | None


class OwnWaitingSchema(TypedDict):
    """The caller's own place on the waiting list."""

    place: int
    """From 1: who moves up first."""
    joined_at: datetime
    checked_in_at: datetime | None


def waiting_player_to_json(waiting: WaitingPlayer) -> WaitingPlayerSchema:
    """Return a row of a waiting list; the player was read with it."""
    return {
        "id": waiting.pk,
        "player": waiting.player.username,
        "joined_at": waiting.joined_at,
        "checked_in_at": waiting.checked_in_at,
    }


def own_waiting_to_json(waiting: WaitingPlayer) -> OwnWaitingSchema:
    """Return the caller's place on a waiting list. One query."""
    return {
        "place": place_on_list(waiting),
        "joined_at": waiting.joined_at,
        "checked_in_at": waiting.checked_in_at,
    }
