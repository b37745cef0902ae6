"""The winner of a competition that comes to an end."""

from __future__ import annotations

from tournaments.models import Group, Stage
from tournaments.records.brackets import final_places_of
from tournaments.records.levels import find_first_at
from tournaments.records.qualifiers import qualifiers_of
from tournaments.records.standings import find_first


def is_last_played(stage: Stage) -> bool:
    """Return whether no later stage of the competition has been drawn. One query."""
    return not Group.objects.filter(stage__competition=stage.competition_id, stage__number__gt=stage.number).exists()


def find_winner(last: Stage) -> int | None:
    """Return the entry that is first in the last stage that was played; ``None`` while nobody is.

    A competition can end before its last stage, where too few are left to play it: who would be the first seed there
    has won. Where groups form one by one, and at levels, it is the best of those who are first in a group of the
    highest one.
    """
    if last.gathers or last.max_levels is not None:
        return find_first_at(last)
    if last.advance is not None:
        following = last.competition.stages.filter(number=last.number + 1).get()
        return next(iter(qualifiers_of(last, draw_seed=following.draw_seed or 0)), None)
    # Of leagues it is the highest.
    group = Group.objects.get(stage=last, number=1)
    if not last.is_bracket:
        first = find_first(group_id=group.pk)
        return None if first is None else first.pk
    return next((entry for entry, place in final_places_of(group.pk).items() if place == 1), None)
