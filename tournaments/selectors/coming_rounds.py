"""The rounds that are still to be drawn, where each is drawn when the one before it has ended."""

from __future__ import annotations

from django.db.models import Max

from tournaments.models import Competition, Group, Round
from tournaments.selectors.group_records import count_starters


def coming_rounds(group: Group) -> range:
    """Return the numbers of the rounds that are still to be drawn; none where they are not drawn one by one.

    Before the draw it counts everybody who may still come. Three queries; stage and competition were read with it.
    """
    stage = group.stage
    if not stage.abilities.pairs_by_results:
        return range(0)
    drawn = Round.objects.filter(group=group).aggregate(last=Max("number"))["last"] or 0
    entrants = max(count_starters(group), stage.format_spec.min_entrants)
    if not drawn:
        entrants = max(entrants, stage.competition.max_entrants or 0)
    last = stage.format_spec.outline(entrants, stage.chosen_options).rounds or 0
    return range(drawn + 1, max(drawn, last) + 1)


def has_coming_rounds(competition: Competition) -> bool:
    """Return whether who enters a running competition would play: whether its first stage has rounds to be drawn."""
    groups = Group.objects.select_related("stage__competition").filter(stage=competition.first_stage)
    return any(coming_rounds(group) for group in groups)
