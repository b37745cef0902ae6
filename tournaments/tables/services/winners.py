"""Store who has won a competition that has come to an end, with the title."""

from __future__ import annotations

from tournaments.models import Entry, Stage
from tournaments.records.winners import find_winner
from tournaments.tables.services.titles import store_title


def crown(*, last: Stage) -> None:
    """Store who has won a finished competition, and the title, by the results of the last stage that was played."""
    competition, winner = last.competition, find_winner(last)
    competition.winner = None if winner is None else Entry.objects.select_related("player", "team").get(pk=winner)
    competition.save(update_fields=["winner"])
    store_title(competition=competition)
