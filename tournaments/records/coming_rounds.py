"""Rounds and levels still to come, and groups open to latecomers."""

from collections.abc import Iterable

from django.db.models import Case, Count, Exists, IntegerField, Max, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from tournaments.models import Bye, Competition, Fixture, Group, ProposedRound, Seat, Stage


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
    """Return the running groups of the first stage in which who enters the competition now would play. One query."""
    stage = competition.first_stage
    stage.competition = competition
    running = Group.objects.filter(stage=stage, started_at__isnull=False, ended_at=None).order_by("number")
    by_results = stage.abilities.pairs_by_results
    groups = list(_with_numbers(running) if by_results else running)
    for group in groups:
        group.stage = stage
    return [group for group in groups if not by_results or _rounds_to_come(group)]


def has_last_level_begun(competition: Competition) -> bool:
    """Return whether a group has begun from which nobody goes on any more. One query, none without a last level."""
    levels = competition.first_stage.max_levels
    if levels is None:
        return False
    groups = Group.objects.filter(stage__competition=competition.pk, stage__number__gte=levels)
    return groups.filter(started_at__isnull=False).exists()


def takes_entries(competition: Competition) -> bool:
    """Return whether players can still come to the first level of a running competition. One query at most."""
    return competition.first_stage.takes_late_entries and not has_last_level_begun(competition)


def groups_under_way(stages: QuerySet[Stage]) -> QuerySet[Group]:
    """Return the groups of these stages that have begun and not ended, with what says which rounds are to come."""
    groups = Group.objects.filter(stage__in=stages, started_at__isnull=False, ended_at=None)
    return _with_numbers(groups.select_related("stage__competition"))


def with_rounds_to_come(groups: Iterable[Group]) -> set[int]:
    """Return the ids of the competitions of these groups in which rounds are still to be drawn."""
    return {group.stage.competition_id for group in groups if _rounds_to_come(group)}


def _with_numbers(groups: QuerySet[Group]) -> QuerySet[Group]:
    """Return groups with how many rounds have been ``drawn``, and how many were in the first, the ``starters``."""
    return groups.annotate(drawn=count_drawn_rounds("pk"), starters=count_starters("pk"))


def _rounds_to_come(group: Group) -> range:
    known = vars(group)
    return coming_rounds(group.stage, drawn=known["drawn"], starters=known["starters"])
