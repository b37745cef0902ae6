"""The changes that streams have missed, read in a few queries for many that begin together."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from streams.changes import OVERLAP, Change, read_followed, read_latest_moment, read_named, read_since

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
        named = read_named(set(matches), []) if matches else []
        self._named = {change.subject: change for change in named}
        self._recent: dict[int, list[Change]] = {player: [] for player in players}
        recent = read_followed(self._since, matches=(), players=self._recent.keys(), limit=MAX_TOGETHER)
        if len(recent) >= MAX_TOGETHER:
            # Some may be missing: each stream reads its own.
            self._recent.clear()
        for change in recent:
            for player in change.sides:
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
