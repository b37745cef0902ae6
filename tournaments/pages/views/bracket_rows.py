"""Ties of brackets as HTML, made once for all who watch: those that differ from how this process knew them."""

from collections import OrderedDict, defaultdict
from collections.abc import Collection
from typing import Any, NamedTuple

from django.template.loader import get_template

from database.compiled_queries import CompiledQuery
from tournaments.models import Fixture, Tie
from tournaments.pages.views.brackets import draw_tie_for_all

MAX_KNOWN = 200
"""The number of brackets of which is kept how they stood, and of competitions whose brackets were looked for."""

MAX_CHANGED = 8
"""The most ties that are made: where more have changed, their pages are fetched."""

Shown = dict[int, tuple[Any, ...]]
"""What is shown of each tie and its legs, by the tie's id."""

_TIES = CompiledQuery(
    lambda group_id: Tie.objects.filter(round__group_id=group_id).values_list(
        "pk",
        "first__team_id",
        "first_id",
        "second_id",
        "winner_id",
        "decided_by",
        "first__disqualification",
        "second__disqualification",
    )
)
_LEGS = CompiledQuery(
    lambda group_id: (
        Fixture.objects.filter(group_id=group_id, tie__isnull=False, is_annulled=False)
        .order_by("pk")
        .values_list("tie_id", "match_id", "ending", "points_yellow", "points_red", "goals_yellow", "goals_red")
    )
)


class ChangedRows(NamedTuple):
    """Rows as HTML: all that has changed since the results of their group had the version ``since``."""

    html: str
    since: int


class BracketRows:
    """How brackets stood when those who watch them were told last."""

    def __init__(self) -> None:
        self._known: OrderedDict[int, tuple[int, Shown]] = OrderedDict()
        self._looked_for: OrderedDict[int, None] = OrderedDict()

    def begin(self, competitions: Collection[int]) -> None:
        """Note how the brackets of competitions stand that somebody begins to watch. A query for those that are new."""
        new = [each for each in competitions if each not in self._looked_for]
        if not new:
            return
        groups = Tie.objects.filter(round__group__stage__competition__in=new, round__group__ended_at=None)
        for group_id, version in groups.values_list("round__group_id", "round__group__results_version").distinct():
            if group_id not in self._known:
                _keep(self._known, group_id, (version, _read(group_id)))
        for competition in new:
            _keep(self._looked_for, competition, None)

    def take(self, group_id: int, version: int) -> ChangedRows | None:
        """Return what has changed in a group whose results have a version, and note how it stands now.

        ``None`` if that is not known, if it is too much, or if the group has no bracket of single players.
        """
        shown = _read(group_id)
        before = self._known.get(group_id)
        if not shown or any(is_team for (is_team, *_rest), *_legs in shown.values()):
            return None
        _keep(self._known, group_id, (version, shown))
        if before is None or before[1].keys() != shown.keys():
            return None
        changed = [tie for tie, now in shown.items() if before[1][tie] != now]
        return None if len(changed) > MAX_CHANGED else ChangedRows(_write(group_id, changed), before[0])


def _read(group_id: int) -> Shown:
    legs: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for tie, *leg in _LEGS.rows(group_id=group_id):
        legs[tie].append(tuple(leg))
    return {pk: (tuple(tie), *legs[pk]) for pk, *tie in _TIES.rows(group_id=group_id)}


def _write(group_id: int, changed: Collection[int]) -> str:
    """Return the rows and boxes of ties, in the elements in which they can stand."""
    ties = [draw_tie_for_all(group_id, tie) for tie in changed]
    row, box = get_template("tournaments/parts/tie.html"), get_template("tournaments/parts/box.html")
    rows, boxes = ("".join(each.render({"tie": tie}) for tie in ties) for each in (row, box))
    return f"<ul>{rows}</ul><svg>{boxes}</svg>" if ties else ""


def _keep(kept: OrderedDict[int, Any], key: int, value: Any) -> None:
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > MAX_KNOWN:
        kept.popitem(last=False)
