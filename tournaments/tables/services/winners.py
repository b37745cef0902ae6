"""Winners of competitions, and the titles that they have by it."""

from tournaments.models import Competition, Entry, Stage, Title
from tournaments.records.cups import find_winner
from tournaments.tables.selectors.titles import derive_members, derive_title


def store_title(*, competition: Competition) -> None:
    """Let the title of a competition follow from its winner, or let there be none.

    The caller holds the competition's lock, and has stored the winner.
    """
    title = derive_title(competition)
    if title is None:
        Title.objects.filter(competition=competition.pk).delete()
        return
    Title.objects.bulk_create(
        [title],
        update_conflicts=True,
        unique_fields=["competition"],
        update_fields=["player", "team", "kind", "family", "won_at"],
    )
    members = derive_members(competition)
    stored = Title.members.through.objects.filter(title=title.pk)
    stored.exclude(player__in=members).delete()
    Title.members.through.objects.bulk_create(
        [Title.members.through(title_id=title.pk, player_id=each) for each in members], ignore_conflicts=True
    )


def crown(*, last: Stage) -> None:
    """Store who has won a finished competition, and the title, by the results of the last stage that was played."""
    competition, winner = last.competition, find_winner(last)
    won = Entry.objects.select_related("player", "team").filter(pk__in=[] if winner is None else [winner])
    competition.winner = won.first()
    competition.save(update_fields=["winner"])
    store_title(competition=competition)
