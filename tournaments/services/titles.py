"""Keep titles equal to the winners of competitions."""

from __future__ import annotations

from tournaments.models import Competition, Title
from tournaments.selectors.competitions import with_first_stage
from tournaments.selectors.titles import derive_title, kind_of


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
        update_fields=["player", "kind", "family", "won_at"],
    )


def rename_titles(*, series_id: int) -> None:
    """Let the kinds of the titles of a series follow from what it says now. The caller holds the lock of the series."""
    seasons = with_first_stage(Competition.objects.filter(series=series_id, won_title__isnull=False))
    for season in seasons.select_related("won_title", "series"):
        kind = kind_of(season)
        if season.won_title.kind != kind:
            Title.objects.filter(competition=season.pk).update(kind=kind)
