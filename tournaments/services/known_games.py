"""Keep who is known to have as many running games as a points ladder gives, so that its pairing looks only at others.

``Entry.known_games`` is never more than the number of games that run. A service that lets games end, or count no
more, forgets it; the pairing counts, and notes it. Callers hold the competition's lock.
"""

from __future__ import annotations

from collections.abc import Collection

from tournaments.formats.protocol import Order
from tournaments.models import Competition, Entry, Fixture
from tournaments.selectors.ladders import entries_with_enough_games
from tournaments.selectors.result_sums import MAX_ENTRANTS_BY_ID

MAX_NOTED = 1000
"""Of so many it is noted at once, at most, while others wait for the lock."""


def forget_games(*, fixtures: Collection[Fixture]) -> None:
    """Let the games of both sides of these fixtures be counted again by the next pairing. One query."""
    entries = {key for each in fixtures for key in (each.yellow_id, each.red_id)}
    if len(entries) > MAX_ENTRANTS_BY_ID:
        forget_all_games(competition_ids={each.competition_id for each in fixtures})
    elif entries:
        Entry.objects.filter(pk__in=entries, known_games__gt=0).update(known_games=0)


def forget_all_games(*, competition_ids: Collection[int]) -> None:
    """Let the games of everybody in competitions be counted again by the next pairing. One query."""
    Entry.objects.filter(competition_id__in=competition_ids, known_games__gt=0).update(known_games=0)


def note_games(*, ladder: Competition) -> bool:
    """Note who has as many running games as a points ladder gives; return whether all are noted. Two queries at most.

    Of a challenge ladder nothing is noted.
    """
    if ladder.first_stage.format_spec.order is Order.POSITIONS:
        return True
    enough = entries_with_enough_games(ladder, limit=MAX_NOTED)
    if enough:
        games_each = ladder.first_stage.chosen_options.games_each
        Entry.objects.filter(pk__in=enough).update(known_games=games_each)
    return len(enough) < MAX_NOTED
