"""The stages of a competition with their groups, and where the entrants of those to come will come from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.db.models import Count, OuterRef, QuerySet, Value
from django.db.models.expressions import Combinable
from django.utils.translation import gettext as _

from database.row_counts import count_rows
from formats.advancement import BY_DRAW, GroupRank, plan_seeds
from formats.grouping import form_groups
from tournaments.models import Competition, CompetitionStatus, Entry, EntryStatus, Fixture, Group, Round, Seat, Stage
from tournaments.records.errors import GroupNotFound, RoundNotFound
from tournaments.records.levels import waiting_seats


@dataclass(frozen=True, slots=True)
class StageGroups:
    """A stage, its groups in order as far as they are there, how many seats each has, and those that wait for one.

    ``sizes`` and ``waiting`` are empty where they were not asked for.
    """

    stage: Stage
    groups: tuple[Group, ...]
    sizes: tuple[int, ...]
    waiting: tuple[Seat, ...] = ()

    @property
    def has_begun(self) -> bool:
        """Return whether any of its groups has begun."""
        return any(group.started_at is not None for group in self.groups)

    @property
    def has_ended(self) -> bool:
        """Return whether it has begun, and all of its groups have ended; another group may still form at a level."""
        if self.stage.gathers and self.stage.competition.status == CompetitionStatus.RUNNING:
            return False
        return self.has_begun and all(group.ended_at is not None for group in self.groups)

    @property
    def has_groups(self) -> bool:
        """Return whether it is played in groups, of which there may be one all the same."""
        return is_in_groups(self.stage)

    @property
    def entrants(self) -> int:
        """Return how many have a seat in it."""
        return sum(self.sizes)


def is_in_groups(stage: Stage) -> bool:
    """Return whether the entrants of a stage are dealt into groups."""
    return stage.grouping is not None


def is_of_parts(stage: Stage) -> bool:
    """Return whether the competition of this stage has more parts than one: it is played in groups, or in stages."""
    return is_in_groups(stage) or stage.advance is not None or stage.number > 1


def stages_of(competition: Competition, *, with_sizes: bool = True) -> list[StageGroups]:
    """Return the stages of a competition, in order. Two queries at any size, one where its stages are known.

    One more where groups form one by one. Each group's size is counted by itself; it and who waits for a group are left
    out if not ``with_sizes``.
    """
    stages = competition.all_stages
    groups: dict[int, list[Group]] = {stage.pk: [] for stage in stages}
    found = Group.objects.filter(stage__competition_id=competition.pk).order_by("number")
    for group in _with_sizes(competition, found) if with_sizes else found:
        groups[group.stage_id].append(group)
    waiting: dict[int, list[Seat]] = {stage.pk: [] for stage in stages}
    if with_sizes and stages[0].gathers:
        for seat in waiting_seats(competition):
            waiting[seat.stage_id].append(seat)
    held = []
    for stage in stages:
        stage.competition = competition
        for group in groups[stage.pk]:
            group.stage = stage
        sizes = tuple(vars(group)["size"] for group in groups[stage.pk]) if with_sizes else ()
        held.append(StageGroups(stage, tuple(groups[stage.pk]), sizes, tuple(waiting[stage.pk])))
    return held


def latest_of(stages: Sequence[StageGroups]) -> StageGroups:
    """Return the latest stage that has begun, the first one where none has."""
    return next((each for each in reversed(stages) if each.has_begun), stages[0])


def plan_entrants(stages: Sequence[StageGroups], number: int) -> tuple[GroupRank, ...] | None:
    """Return the places from which the entrants of a stage to come will come, the first seed first.

    ``None`` where only the results will tell, and before anything has begun.
    """
    planned: tuple[GroupRank, ...] | None = None
    sizes: tuple[int, ...] | None = None
    for each, following in pairwise(stages[:number]):
        sizes = each.sizes if each.has_begun else sizes
        planned = None if sizes is None else _plan_from(each.stage, sizes)
        sizes = None if planned is None else _sizes_of(following.stage, len(planned))
    return planned


def group_in(stages: Sequence[StageGroups], *, stage: int, group: int) -> Group:
    """Return the group with this number in the stage with that one. Raises ``GroupNotFound``."""
    held = next((each for each in stages if each.stage.number == stage), None)
    if held is None:
        raise _no_stage(stage)
    found = next((each for each in held.groups if each.number == group), None)
    if found is None:
        raise _no_group(stage, group)
    return found


def find_group(competition: Competition, *, stage: int | None = None, group: int | None = None) -> Group:
    """Return a group by its number in its stage: group 1 of the latest stage that has begun unless it is said which.

    Raises ``GroupNotFound``. Three queries at most.
    """
    groups = Group.objects.filter(stage__competition_id=competition.pk).select_related("stage")
    if stage is None:
        begun = groups.filter(started_at__isnull=False).order_by("-stage__number").values("stage__number")
        stage = begun.values_list("stage__number", flat=True).first() or 1
    found = groups.filter(stage__number=stage, number=group or 1).first()
    if found is None:
        if not Stage.objects.filter(competition_id=competition.pk, number=stage).exists():
            raise _no_stage(stage)
        raise _no_group(stage, group or 1)
    found.stage.competition = competition
    return found


def check_numbers(competition: Competition, *, stage: int | None, group: int | None) -> None:
    """Raise ``GroupNotFound`` if there is no stage, or no group, with a number that is given. Two queries at most."""
    if stage is not None and not Stage.objects.filter(competition_id=competition.pk, number=stage).exists():
        raise _no_stage(stage)
    groups = Group.objects.filter(stage__competition_id=competition.pk)
    if stage is not None:
        groups = groups.filter(stage__number=stage)
    if group is not None and not groups.filter(number=group).exists():
        raise _no_group(stage, group)


def count_played(groups: Iterable[Group]) -> dict[int, tuple[int, int]]:
    """Return how many matches of groups have their result, and how many there are, by the groups' ids. One query."""
    fixtures = Fixture.objects.filter(group__in=list(groups), is_annulled=False).values("group")
    counted = fixtures.annotate(played=Count("counted_at"), drawn=Count("pk")).order_by()
    return {row["group"]: (row["played"], row["drawn"]) for row in counted}


def round_in(group: Group, number: int) -> Round:
    """Return a group's round by its number. Raises ``RoundNotFound``. One query."""
    found = Round.objects.filter(group=group, number=number).first()
    if found is None:
        raise RoundNotFound(_("There is no such round in this competition."))
    found.group = group
    return found


def _no_stage(number: int) -> GroupNotFound:
    return GroupNotFound(_("This competition has no stage %(number)d.") % {"number": number})


def _no_group(stage: int | None, number: int) -> GroupNotFound:
    if stage is None:
        return GroupNotFound(_("No stage of this competition has a group %(number)d.") % {"number": number})
    return GroupNotFound(
        _("Stage %(stage)d of this competition has no group %(number)d.") % {"stage": stage, "number": number}
    )


def _with_sizes(competition: Competition, groups: QuerySet[Group]) -> QuerySet[Group]:
    size: Combinable
    if competition.is_endless:
        # Every entrant has a seat in its one group: their number is stored, without those who left before it started.
        size = Value(competition.entered) + count_rows(_left_before(competition), by="competition")
    else:
        # By itself an index answers it; joined, the rows of all seats would be read.
        size = count_rows(Seat.objects.filter(group=OuterRef("pk")), by="group")
    return groups.annotate(size=size)


def _left_before(competition: Competition) -> QuerySet[Entry]:
    """Return who left a competition before it started: while it ran until that start was taken back."""
    gone = Entry.objects.filter(competition_id=competition.pk, status=EntryStatus.GONE)
    return gone if competition.started_at is None else gone.filter(left_at__lt=competition.started_at)


def _plan_from(stage: Stage, sizes: Sequence[int]) -> tuple[GroupRank, ...] | None:
    rule = stage.advance_rule
    return None if rule is None or rule.seeding == BY_DRAW else plan_seeds(rule, sizes)


def _sizes_of(stage: Stage, entrants: int) -> tuple[int, ...] | None:
    """Return how large the groups of a stage will be, ``None`` where too few will come."""
    options = stage.grouping_options
    if options is None:
        return (entrants,)
    try:
        return tuple(map(len, form_groups(range(entrants), options)))
    except ValueError:
        return None
