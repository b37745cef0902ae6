"""Who has won a competition that comes to an end."""

from __future__ import annotations

from tournaments.formats.protocol import Flow
from tournaments.models import Group, Stage
from tournaments.selectors.brackets import final_places_of
from tournaments.selectors.qualifiers import qualifiers_of
from tournaments.selectors.standings import find_first


def find_winner(last: Stage) -> int | None:
    """Return the entry that is first in the last stage that was played; ``None`` while nobody is.

    A competition can end before its last stage, where too few are left to play it: who would be the first seed there
    has won.
    """
    if last.advance is not None:
        following = last.competition.stages.filter(number=last.number + 1).get()
        return next(iter(qualifiers_of(last, draw_seed=following.draw_seed or 0)), None)
    group = Group.objects.get(stage=last)
    if last.format_spec.flow is not Flow.TIES:
        first = find_first(group_id=group.pk)
        return None if first is None else first.pk
    return next((entry for entry, place in final_places_of(group.pk).items() if place == 1), None)
