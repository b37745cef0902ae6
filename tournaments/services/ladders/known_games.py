"""Keep who is known to have as many running games as a points ladder gives, so that its pairing looks only at others.

``Entry.known_games`` is never more than the number of games that run. Whoever lets games end, or count no more, forgets
it; the pairing counts, and notes it. Callers hold the competition's lock.
"""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.formats.protocol import Order
from tournaments.models import Competition, Entry, Fixture
from tournaments.selectors.ladders import entries_with_enough_games

MAX_NOTED = 1000
"""Of so many it is noted at once, at most, while others wait for the lock."""


def forget_games(*, fixtures: Iterable[Fixture]) -> None:
    """Let the games of both sides of these fixtures be counted again by the next pairing. One query."""
    keys = {key for each in fixtures for key in (each.yellow_id, each.red_id)}
    if keys:
        Entry.objects.filter(pk__in=keys, known_games__gt=0).update(known_games=0)


def forget_all_games(*, competition: Competition) -> None:
    """Let the games of everybody be counted again by the next pairing. One query."""
    Entry.objects.filter(competition_id=competition.pk, known_games__gt=0).update(known_games=0)


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
