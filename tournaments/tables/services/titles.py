"""Keep titles equal to the winners of competitions."""

from __future__ import annotations

from tournaments.models import Competition, Title
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
    title.members.set(derive_members(competition))
