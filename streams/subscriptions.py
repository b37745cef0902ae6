"""Subscriptions of streams: a match, or a player and named matches; and the events missed while a stream was closed.

The id of an event is the cursor that the client sends back as ``Last-Event-ID``: for a match its last version that
was sent, for a player the moment of the last change that was sent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from streams.changes import (
    EVERYBODY,
    OVERLAP,
    Change,
    Key,
    read_cursor,
    read_followed,
    read_latest_moment,
    read_named,
    read_since,
    write_cursor,
    write_event,
)

MAX_REPLAYED = 500
"""With more changes than these the client gets ``reset`` and has to load everything again."""


@dataclass(frozen=True, slots=True)
class Missed:
    """The events that a stream begins with, and the versions that the client knows then."""

    events: list[bytes] = field(default_factory=list)
    known: dict[Key, str] = field(default_factory=dict)


class Subscription(Protocol):
    """The topics of a stream, and how it writes their changes."""

    @property
    def topics(self) -> tuple[Key, ...]:
        """Return the matches, the player, and everybody."""

    @property
    def player(self) -> int | None:
        """Return the player, or ``None`` for a visitor."""

    @property
    def matches(self) -> tuple[int, ...]:
        """Return the named matches."""

    def shows(self, match_id: int) -> bool:
        """Return whether a page shows the match, and is sent what has happened in it."""

    def catch_up(self, read: CatchUp) -> Missed:
        """Return what the client has missed, of what was read for it."""

    def event_of(self, change: Change) -> bytes:
        """Return a change as an event."""


class MatchSubscription:
    """Subscribes to one match. Without a cursor the stream begins with the match as it is."""

    def __init__(self, match_id: int, cursor: str) -> None:
        self.topics: tuple[Key, ...] = (("match", match_id),)
        self.player: int | None = None
        self.matches: tuple[int, ...] = (match_id,)
        self._cursor = cursor

    def shows(self, match_id: int) -> bool:
        """Return false: programs keep the match themselves."""
        return False

    def catch_up(self, read: CatchUp) -> Missed:
        """Return the match as it is, unless the client has seen this version."""
        changes = read.named(self.matches)
        return Missed(
            events=[self.event_of(change) for change in changes if change.version != self._cursor],
            known={change.key: change.version for change in changes},
        )

    def event_of(self, change: Change) -> bytes:
        """Return the match's facts, with its version as id."""
        return write_event("match", change.version, change.facts)


class PlayerSubscription:
    """Subscribes to what concerns one player or the whole site, and to named matches.

    A visitor, who is no player, follows the named matches alone. Without a cursor the stream begins with ``ready`` and
    the named matches as they are; with a cursor it goes on after it. With ``updates`` pages show the named matches.
    """

    def __init__(
        self, player_id: int | None, cursor: str, matches: Collection[int] = (), *, updates: bool = False
    ) -> None:
        self.player = player_id
        self._shown = frozenset(matches if updates else ())
        self.matches = tuple(dict.fromkeys(matches))
        player: tuple[Key, ...] = () if player_id is None else (("player", player_id),)
        self.topics = (*player, *(("match", match_id) for match_id in self.matches), EVERYBODY)
        self._given = cursor
        self._moment = read_cursor(cursor)

    def shows(self, match_id: int) -> bool:
        """Return whether it is a named match, with updates."""
        return match_id in self._shown

    def catch_up(self, read: CatchUp) -> Missed:
        """Return the changes since the cursor, or ``reset`` if they are too many or the cursor is not ours."""
        if self._moment is None or self._moment > read.latest:
            return self._begin("reset" if self._given else "ready", read)
        since = self._moment - OVERLAP
        changes = self._own(read, self._moment, MAX_REPLAYED + 1)
        if len(changes) > MAX_REPLAYED:
            return self._begin("reset", read)
        own = {change.key for change in changes}
        named = [each for each in read.named(self.matches) if each.changed_at > since and each.key not in own]
        return self._missed([], sorted([*changes, *named], key=lambda change: change.changed_at), [])

    def event_of(self, change: Change) -> bytes:
        """Return the facts of a change and the player's part in it, with the latest moment sent so far as id."""
        self._moment = max(self._moment or change.changed_at, change.changed_at)
        facts = change.facts
        if self.player is not None and self.player in change.sides:
            facts = {**facts, **change.own_facts(self.player)}
        written = change.update.members_for(self.player) if change.update and self.shows(change.subject) else None
        return write_event(change.kind, write_cursor(self._moment), facts, written)

    def _begin(self, event: str, read: CatchUp) -> Missed:
        """Return ``ready`` or ``reset`` and the named matches as they are; older events are not sent."""
        self._moment = read.latest
        before = self._own(read, self._moment, MAX_REPLAYED)
        begun = write_event(event, write_cursor(self._moment), {})
        return self._missed([begun], read.named(self.matches), before)

    def _own(self, read: CatchUp, moment: datetime, limit: int) -> list[Change]:
        return [] if self.player is None else read.own(self.player, moment, limit)

    def _missed(self, events: list[bytes], changes: Iterable[Change], known: Iterable[Change]) -> Missed:
        changes = list(changes)
        return Missed(
            [*events, *(self.event_of(change) for change in changes)],
            {change.key: change.version for change in (*known, *changes)},
        )


def read_missed(subscriptions: Sequence[Subscription]) -> list[Missed]:
    """Return what the client of each subscription has missed, read from the database in a few queries for all."""
    read = CatchUp(
        matches={match for each in subscriptions for match in each.matches},
        players={each.player for each in subscriptions if each.player is not None},
    )
    return [each.catch_up(read) for each in subscriptions]


RECENT = timedelta(minutes=1)
"""Changes since this long before the last one are read for all streams at once, earlier ones for each by itself."""

MAX_TOGETHER = 5_000
"""The most of these changes that are read for all streams at once."""


class CatchUp:
    """The changes that streams ask for when they begin, as the database had them when this was made."""

    def __init__(self, *, matches: Collection[int] = (), players: Collection[int] = ()) -> None:
        """Read these matches, and what has changed lately for these players."""
        self.latest: datetime = read_latest_moment()
        self._since = self.latest - RECENT
        named = read_named(match=set(matches))
        self._named = {change.subject: change for change in named}
        self._recent: dict[int, list[Change]] = {player: [] for player in players}
        recent = read_followed(self._since, matches=(), players=self._recent.keys(), limit=MAX_TOGETHER)
        if len(recent) >= MAX_TOGETHER:
            # Some may be missing: each stream reads its own.
            self._recent.clear()
        for change in recent:
            for player in self._recent if change.kind == "pause" else change.sides:
                if player in self._recent:
                    self._recent[player].append(change)

    def named(self, matches: Iterable[int]) -> list[Change]:
        """Return those of these matches that there are."""
        found = [self._named[match] for match in matches if match in self._named]
        return sorted(found, key=lambda change: change.changed_at)

    def own(self, player_id: int, moment: datetime, limit: int) -> list[Change]:
        """Return a player's changes since ``OVERLAP`` before a moment; if they are more than ``limit``, the first."""
        if moment < self._since or player_id not in self._recent:
            return read_since(moment, player_id=player_id, limit=limit)
        return [change for change in self._recent[player_id] if change.changed_at > moment - OVERLAP][:limit]
