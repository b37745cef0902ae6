"""The rounds that are still to be drawn, where each is drawn when the one before it has ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import Max

from tournaments.models import Competition, Group, Round
from tournaments.selectors.group_records import count_starters
from tournaments.selectors.groups import running_groups


def coming_rounds(groups: Sequence[Group]) -> Mapping[int, range]:
    """Return the numbers of the rounds that are still to be drawn, by the ids of groups of one stage.

    None are where they are not drawn one by one. Before the draw all are counted who may still come. Three queries for
    any number of groups, which were read with the stage and its competition.
    """
    if not groups or not groups[0].stage.abilities.pairs_by_results:
        return {group.pk: range(0) for group in groups}
    last = Round.objects.filter(group__in=groups).values("group").annotate(last=Max("number"))
    drawn = dict(last.values_list("group", "last"))
    starters = count_starters(groups)
    return {group.pk: _coming_rounds(group, drawn.get(group.pk, 0), starters[group.pk]) for group in groups}


def _coming_rounds(group: Group, drawn: int, starters: int) -> range:
    stage = group.stage
    entrants = max(starters, stage.format_spec.min_entrants)
    if not drawn:
        entrants = max(entrants, stage.competition.max_entrants or 0)
    rounds = stage.format_spec.outline(entrants, stage.chosen_options).rounds or 0
    return range(drawn + 1, max(drawn, rounds) + 1)


def groups_to_join(competition: Competition) -> list[Group]:
    """Return the running groups of the first stage in which who enters the competition now would play."""
    groups = [group for group in running_groups(competition) if group.stage.number == 1]
    if not groups or not groups[0].stage.abilities.pairs_by_results:
        return groups
    coming = coming_rounds(groups)
    return [group for group in groups if coming[group.pk]]
