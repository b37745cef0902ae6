"""Subscriptions of streams: a match, or a player and topics; and the events missed while a stream was closed.

The id of an event is the cursor that the client sends back as ``Last-Event-ID``: for a match its last version that
was sent, for a player and topics the moment of the last change that was sent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from matches.signals import Topic
from streams.changes import (
    EVERYBODY,
    OVERLAP,
    Change,
    Followed,
    add_states,
    read_cursor,
    read_followed,
    read_latest_moment,
    read_named,
    write_cursor,
    write_event,
)
from streams.updates import bracket_rows

MAX_REPLAYED = 500
"""With more changes than these the client gets ``reset`` and has to load everything again."""


@dataclass(frozen=True, slots=True)
class Missed:
    """The events that a stream begins with, and the versions that the client knows then."""

    events: list[bytes] = field(default_factory=list)
    known: dict[Topic, str] = field(default_factory=dict)


class Subscription(Protocol):
    """The topics of a stream, and how it writes their changes."""

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topics, with the player and everybody."""

    @property
    def player(self) -> int | None:
        """Return the player, or ``None`` for a visitor."""

    @property
    def echoes(self) -> bool:
        """Return whether the client answers echoes."""

    @property
    def matches(self) -> tuple[int, ...]:
        """Return the named matches."""

    @property
    def shown(self) -> frozenset[Topic]:
        """Return the topics of which pages are sent what they show."""

    @property
    def stated(self) -> frozenset[Topic]:
        """Return the matches whose events bring their states."""

    def shows(self, change: Change) -> bool:
        """Return whether a page shows what has changed, and is sent what it shows of it."""

    def catch_up(self, read: CatchUp) -> Missed:
        """Return what the client has missed, of what was read for it."""

    def event_of(self, change: Change) -> bytes:
        """Return a change as an event."""


class MatchSubscription:
    """Subscribes to one match. Without a cursor the stream begins with the match as it is."""

    def __init__(self, match_id: int, cursor: str, *, states: bool = False) -> None:
        self.topics: tuple[Topic, ...] = (("match", match_id),)
        self.shown: frozenset[Topic] = frozenset()
        self.stated = frozenset(self.topics if states else ())
        self.player: int | None = None
        self.echoes = False
        self.matches: tuple[int, ...] = (match_id,)
        self._cursor = cursor

    def shows(self, change: Change) -> bool:
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
        return write_event("match", change.version, change.facts, _state_of(change, self))


class PlayerSubscription:
    """Subscribes to what concerns one player or the whole site, to named matches, and to other public topics.

    A visitor, who is no player, follows the topics alone. Without a cursor the stream begins with ``ready`` and the
    named matches as they are; with a cursor it goes on after it. With ``updates`` pages show what the topics send. A
    player with ``echoes`` answers these, and is told whether opponents in live matches do.
    """

    def __init__(
        self,
        player_id: int | None,
        cursor: str,
        matches: Collection[int] = (),
        *,
        topics: Collection[Topic] = (),
        updates: bool = False,
        states: bool = False,
        echoes: bool = False,
    ) -> None:
        self.player = player_id
        self.echoes = echoes and player_id is not None
        self.matches = tuple(dict.fromkeys(matches))
        player: tuple[Topic, ...] = () if player_id is None else (("player", player_id),)
        self._wide = (*player, *dict.fromkeys(topics), EVERYBODY)
        self.topics = (*(("match", match_id) for match_id in self.matches), *self._wide)
        self.shown = frozenset(self.topics if updates else ())
        self.stated = frozenset(("match", match_id) for match_id in self.matches if states)
        self._given = cursor
        self._moment = read_cursor(cursor)

    def shows(self, change: Change) -> bool:
        """Return whether it is a named match, a game in the lobby, or a group of a named competition, with updates."""
        if change.kind in {"seek", "table"}:
            return not self.shown.isdisjoint(change.public)
        return change.key in self.shown

    def catch_up(self, read: CatchUp) -> Missed:
        """Return the changes since the cursor, or ``reset`` if they are too many or the cursor is not ours."""
        if self._moment is None or self._moment > read.latest:
            return self._begin("reset" if self._given else "ready", read)
        since = self._moment - OVERLAP
        changes = read.since(self._moment, self._wide, MAX_REPLAYED + 1)
        if len(changes) > MAX_REPLAYED:
            return self._begin("reset", read)
        own = {change.key for change in changes}
        named = [each for each in read.named(self.matches) if each.changed_at > since and each.key not in own]
        return self._missed([], sorted([*changes, *named], key=lambda change: change.changed_at), [])

    def event_of(self, change: Change) -> bytes:
        """Return the facts of a change and the player's part in it, with the latest moment sent so far as id."""
        self._moment = max(self._moment or change.changed_at, change.changed_at)
        cursor, shows, state = write_cursor(self._moment), self.shows(change), _state_of(change, self)
        shown = change.update.members_for(self.player) if change.update and shows else {}
        if self.player is not None and self.player in change.sides:
            facts = {**change.facts, **change.own_facts(self.player)}
            return write_event(change.kind, cursor, facts, {**shown, **state})
        key = cursor, shows, bool(state)
        if key not in change.events:
            change.events[key] = write_event(change.kind, cursor, change.facts, {**shown, **state})
        return change.events[key]

    def _begin(self, event: str, read: CatchUp) -> Missed:
        """Return ``ready`` or ``reset`` and the named matches as they are; older events are not sent."""
        self._moment = read.latest
        before = read.since(self._moment, self._wide, MAX_REPLAYED)
        begun = write_event(event, write_cursor(self._moment), {})
        return self._missed([begun], read.named(self.matches), before)

    def _missed(self, events: list[bytes], changes: Iterable[Change], known: Iterable[Change]) -> Missed:
        changes = list(changes)
        return Missed(
            [*events, *(self.event_of(change) for change in changes)],
            {change.key: change.version for change in (*known, *changes)},
        )


def _state_of(change: Change, subscription: Subscription) -> Mapping[str, str]:
    return {"state": change.state} if change.state is not None and change.key in subscription.stated else {}


def read_missed(subscriptions: Sequence[Subscription]) -> list[Missed]:
    """Return what the client of each subscription has missed, read from the database in a few queries for all."""
    bracket_rows.begin({subject for each in subscriptions for kind, subject in each.shown if kind == "competition"})
    read = CatchUp(
        {topic for each in subscriptions for topic in each.topics},
        stated={topic for each in subscriptions for topic in each.stated},
    )
    return [each.catch_up(read) for each in subscriptions]


RECENT = timedelta(minutes=1)
"""Changes since this long before the last one are read for all streams at once, earlier ones for each by itself."""

MAX_TOGETHER = 5_000
"""The most of these changes that are read for all streams at once."""


class CatchUp:
    """The changes that streams ask for when they begin, as the database had them when this was made."""

    def __init__(self, topics: Collection[Topic], *, stated: AbstractSet[Topic] = frozenset()) -> None:
        """Read the named matches among the topics, some with states, and what has changed lately of all others."""
        self.latest: datetime = read_latest_moment()
        self._since = self.latest - RECENT
        named = read_named(match={subject for kind, subject in topics if kind == "match"})
        self._named = {change.subject: change for change in add_states(named, stated)}
        self._recent: dict[Topic, list[Change]] = {topic: [] for topic in topics if topic[0] != "match"}
        recent = read_followed(self._since, Followed.of(self._recent), limit=MAX_TOGETHER)
        if len(recent) >= MAX_TOGETHER:
            # Some may be missing: each stream reads its own.
            self._recent.clear()
        for change in recent:
            for topic in change.topics:
                if topic in self._recent:
                    self._recent[topic].append(change)

    def named(self, matches: Iterable[int]) -> list[Change]:
        """Return those of these matches that there are."""
        found = [self._named[match] for match in matches if match in self._named]
        return sorted(found, key=lambda change: change.changed_at)

    def since(self, moment: datetime, topics: Sequence[Topic], limit: int) -> list[Change]:
        """Return the changes of topics since ``OVERLAP`` before a moment; if more than ``limit``, the first."""
        if moment < self._since or not self._recent.keys() >= set(topics):
            found = read_followed(moment, Followed.of(topics), limit=limit)
            # Not every line of a competition is for all who follow it.
            return [change for change in found if not set(topics).isdisjoint(change.topics)]
        changes = {change.key: change for topic in topics for change in self._recent[topic]}
        missed = [change for change in changes.values() if change.changed_at > moment - OVERLAP]
        return sorted(missed, key=lambda change: change.changed_at)[:limit]
