"""Store who has won a competition that has come to an end."""

from __future__ import annotations

from tournaments.models import Entry, Stage
from tournaments.selectors.winners import find_winner


def crown(*, last: Stage) -> None:
    """Store who has won a finished competition, by the results of the last stage that was played."""
    competition, winner = last.competition, find_winner(last)
    competition.winner = None if winner is None else Entry.objects.select_related("player").get(pk=winner)
    competition.save(update_fields=["winner"])
