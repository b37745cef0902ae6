"""What a stream follows: a match, or a player and named matches at once; and what it missed before it was opened again.

The id of an event is the cursor that the client sends back as ``Last-Event-ID``. Of a match it is the version that
was seen last; of a player the moment of the last change that the client was told of.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from streams.changes import (
    OVERLAP,
    Change,
    Key,
    read_cursor,
    read_latest_moment,
    read_named,
    read_since,
    write_cursor,
    write_event,
)

MAX_REPLAYED = 500
"""Beyond so many changes a player is told to look at everything anew, and may be told again of what he sees then."""


@dataclass(frozen=True, slots=True)
class Missed:
    """What an opened stream begins with, and the versions of what it need not be told again."""

    events: list[bytes] = field(default_factory=list)
    known: dict[Key, str] = field(default_factory=dict)


class Following(Protocol):
    """What a stream is about."""

    @property
    def topics(self) -> tuple[Key, ...]:
        """The matches and the player."""

    def catch_up(self) -> Missed:
        """Read from the database what the client has missed."""

    def tell(self, change: Change) -> bytes:
        """Return a change as an event."""


class FollowedMatch:
    """One match. Without a cursor the stream begins with the match as it is."""

    def __init__(self, match_id: int, cursor: str) -> None:
        self.topics: tuple[Key, ...] = (("match", match_id),)
        self._match = match_id
        self._cursor = cursor

    def catch_up(self) -> Missed:
        """Return the match as it is, unless it is still the one that the client has seen."""
        changes = read_named([self._match], [])
        return Missed(
            events=[self.tell(change) for change in changes if change.version != self._cursor],
            known={change.key: change.version for change in changes},
        )

    def tell(self, change: Change) -> bytes:
        """Return the match's facts, under its version."""
        return write_event("match", change.version, change.facts)


class FollowedPlayer:
    """What concerns one player: matches, seeks, invitations and events; and the matches that are named beside.

    A visitor, who is no player, follows the named matches alone. Without a cursor the stream begins ``ready`` and tells
    the named matches as they are, with one it goes on after it.
    """

    def __init__(self, player_id: int | None, cursor: str, matches: Collection[int] = ()) -> None:
        self._player = player_id
        self._matches = tuple(dict.fromkeys(matches))
        player: tuple[Key, ...] = () if player_id is None else (("player", player_id),)
        self.topics = (*player, *(("match", match_id) for match_id in self._matches))
        self._given = cursor
        self._moment = read_cursor(cursor)

    def catch_up(self) -> Missed:
        """Return all that has changed since the cursor, or ``reset`` where that is too much or cannot be known."""
        latest = read_latest_moment()
        if self._moment is None or self._moment > latest:
            return self._begin("reset" if self._given else "ready")
        since = self._moment - OVERLAP
        changes = self._read_own(self._moment, MAX_REPLAYED + 1)
        if len(changes) > MAX_REPLAYED:
            return self._begin("reset")
        own = {change.key for change in changes}
        named = [each for each in self._read_named() if each.changed_at > since and each.key not in own]
        return self._tell_all([], sorted([*changes, *named], key=lambda change: change.changed_at), [])

    def tell(self, change: Change) -> bytes:
        """Return the facts, with what the player has to do with it, under the latest moment of all that was told."""
        self._moment = max(self._moment or change.changed_at, change.changed_at)
        facts = change.facts
        if self._player is not None and self._player in change.sides:
            facts = {**facts, **change.own_facts(self._player)}
        return write_event(change.kind, write_cursor(self._moment), facts)

    def _begin(self, event: str) -> Missed:
        """Begin now: nothing older is told, unless it is very much; the named matches are told as they are."""
        self._moment = read_latest_moment()
        before = self._read_own(self._moment, MAX_REPLAYED)
        begun = write_event(event, write_cursor(self._moment), {})
        return self._tell_all([begun], self._read_named(), before)

    def _read_own(self, moment: datetime, limit: int) -> list[Change]:
        return [] if self._player is None else read_since(moment, player_id=self._player, limit=limit)

    def _read_named(self) -> list[Change]:
        return read_named(self._matches, []) if self._matches else []

    def _tell_all(self, events: list[bytes], told: Iterable[Change], known: Iterable[Change]) -> Missed:
        told = list(told)
        return Missed(
            [*events, *(self.tell(change) for change in told)],
            {change.key: change.version for change in (*known, *told)},
        )
