"""What a stream follows: one match, or all that concerns a player; and what it has missed when it is opened again.

The id of an event is the cursor that the client sends back as ``Last-Event-ID``. Of a match it is the version that
was seen last; of a player the moment of the last change that he was told of.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from config.streams.changes import (
    Change,
    Key,
    read_cursor,
    read_latest_moment,
    read_named,
    read_since,
    write_cursor,
    write_event,
)

MOST_REPLAYED = 500
"""Beyond so many changes a player is told to look at everything anew, and may be told again of what he sees then."""


@dataclass(frozen=True, slots=True)
class Missed:
    """What an opened stream begins with, and the versions of what it need not be told again."""

    events: list[bytes] = field(default_factory=list)
    known: dict[Key, str] = field(default_factory=dict)


class Following(Protocol):
    """What a stream is about."""

    @property
    def topic(self) -> Key:
        """The match or the player."""

    def catch_up(self) -> Missed:
        """Read from the database what the client has missed."""

    def tell(self, change: Change) -> bytes:
        """Return a change as an event."""


class FollowedMatch:
    """One match. Without a cursor the stream begins with the match as it is."""

    def __init__(self, match_id: int, cursor: str) -> None:
        self.topic: Key = ("match", match_id)
        self._cursor = cursor

    def catch_up(self) -> Missed:
        """The match as it is, unless it is still the one that the client has seen."""
        changes = read_named([self.topic[1]], [])
        return Missed(
            events=[self.tell(change) for change in changes if change.version != self._cursor],
            known={change.key: change.version for change in changes},
        )

    def tell(self, change: Change) -> bytes:
        """The match's facts, under its version."""
        return write_event("match", change.version, change.facts)


class FollowedPlayer:
    """The matches, seeks, invitations and events of one player.

    Without a cursor the stream begins ``ready``, with one it goes on after it.
    """

    def __init__(self, player_id: int, cursor: str) -> None:
        self.topic: Key = ("player", player_id)
        self._given = cursor
        self._moment = read_cursor(cursor)

    def catch_up(self) -> Missed:
        """All that has changed since the cursor, or ``reset`` where that is too much or cannot be known."""
        latest = read_latest_moment()
        if self._moment is None or self._moment > latest:
            return self._begin("reset" if self._given else "ready")
        changes = read_since(self._moment, player_id=self.topic[1], limit=MOST_REPLAYED + 1)
        if len(changes) > MOST_REPLAYED:
            return self._begin("reset")
        return Missed([self.tell(change) for change in changes], {change.key: change.version for change in changes})

    def tell(self, change: Change) -> bytes:
        """The facts, with the player's own side of a match, under the latest moment of all he was told."""
        self._moment = max(self._moment or change.changed_at, change.changed_at)
        facts = change.facts
        if change.kind == "match":
            facts = {**facts, "you": change.sides[self.topic[1]]}
        return write_event(change.kind, write_cursor(self._moment), facts)

    def _begin(self, event: str) -> Missed:
        """Begin now: what happened before is not told any more, unless it is very much."""
        self._moment = read_latest_moment()
        before = read_since(self._moment, player_id=self.topic[1], limit=MOST_REPLAYED)
        known = {change.key: change.version for change in before}
        return Missed([write_event(event, write_cursor(self._moment), {})], known)
