"""Keep who is known to have as many running games as a ladder gives, so that its pairing looks only at others.

``Entry.known_games`` is never more than the number of games that run, on a challenge ladder as challenger. A service
that lets games end, or count no more, forgets it; the pairing counts, and notes it. Callers hold the competition's
lock.
"""

from collections.abc import Collection

from tournaments.models import Competition, Entry, Fixture
from tournaments.records.ladders import entries_with_enough_games, games_of_each
from tournaments.records.result_sums import MAX_ENTRANTS_BY_ID

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
    """Note who has as many running games as a ladder gives; return whether all are noted. Two queries at most.

    On a challenge ladder games as challenger count.
    """
    enough = entries_with_enough_games(ladder, limit=MAX_NOTED)
    if enough:
        Entry.objects.filter(pk__in=enough).update(known_games=games_of_each(ladder))
    return len(enough) < MAX_NOTED
