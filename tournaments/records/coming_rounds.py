"""The rounds that are still to be drawn, where each is drawn when the one before it has ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import Case, Count, Exists, F, IntegerField, Max, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from tournaments.models import Bye, Competition, Fixture, Group, ProposedRound, Seat, Stage
from tournaments.records.groups import running_groups


def count_drawn_rounds(group: str) -> Coalesce:
    """Return how many rounds of a group have been drawn, whether they are published, or are being drawn now.

    What players do changes none of them any more. ``group`` is its column in the query that asks.
    """
    is_drawn = Q(pairing_due_since__isnull=False) | Exists(ProposedRound.objects.filter(group=OuterRef("pk")))
    last = Coalesce(Max("rounds__number"), 0) + Case(When(is_drawn, then=1), default=0)
    groups = Group.objects.filter(pk=OuterRef(group)).annotate(drawn=last)
    return Coalesce(Subquery(groups.values("drawn")), 0, output_field=IntegerField())


def count_starters(group: str) -> Coalesce:
    """Return how many are in the first round of a group, or in the group before that has been drawn."""
    seats = Seat.objects.filter(group=OuterRef(group)).order_by()
    first = Fixture.objects.filter(round__group=OuterRef("group"), round__number=1)
    byes = Bye.objects.filter(seat=OuterRef("pk"), round__group=OuterRef("group"), round__number=1)
    plays = Exists(first.filter(yellow=OuterRef("entry"))) | Exists(first.filter(red=OuterRef("entry")))
    return Coalesce(
        *(
            Subquery(each.values("group").annotate(number=Count("pk")).values("number"))
            for each in (seats.filter(plays | Exists(byes)), seats)
        ),
        0,
        output_field=IntegerField(),
    )


def coming_rounds(stage: Stage, *, drawn: int, starters: int) -> range:
    """Return the numbers of the rounds of a group that are still to be drawn; none where they are not drawn one by one.

    Before the draw all are counted who may still come.
    """
    if not stage.abilities.pairs_by_results:
        return range(0)
    entrants = max(starters, stage.format_spec.min_entrants)
    if not drawn:
        entrants = max(entrants, stage.competition.max_entrants or 0)
    rounds = stage.format_spec.outline(entrants, stage.chosen_options).rounds or 0
    return range(drawn + 1, max(drawn, rounds) + 1)


def groups_to_join(competition: Competition) -> list[Group]:
    """Return the running groups of the first stage in which who enters the competition now would play. Two queries."""
    groups = [group for group in running_groups(competition) if group.stage.number == 1]
    if not groups or not groups[0].stage.abilities.pairs_by_results:
        return groups
    numbers = _numbers_of(groups)
    return [group for group in groups if coming_rounds(group.stage, **numbers[group.pk])]


def with_rounds_to_come(stages: QuerySet[Stage]) -> set[int]:
    """Return the ids of the competitions of these stages in which rounds are still to be drawn. One query."""
    groups = Group.objects.filter(stage__in=stages, started_at__isnull=False, ended_at=None)
    rows = groups.select_related("stage__competition").annotate(
        drawn=count_drawn_rounds("pk"), starters=count_starters("pk")
    )
    return {
        group.stage.competition_id
        for group in rows
        if coming_rounds(group.stage, drawn=vars(group)["drawn"], starters=vars(group)["starters"])
    }


def _numbers_of(groups: Sequence[Group]) -> Mapping[int, dict[str, int]]:
    rows = Group.objects.filter(pk__in=[group.pk for group in groups])
    counted = rows.values_list(F("pk"), count_drawn_rounds("pk"), count_starters("pk"))
    return {key: {"drawn": drawn, "starters": starters} for key, drawn, starters in counted}
