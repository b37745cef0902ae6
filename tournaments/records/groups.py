"""The groups of a competition, and who has a seat in them."""

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from tournaments.models import Competition, CompetitionStatus, Group, ProposedRound, Round, Seat, Standing

SEATS = Prefetch("seats", Seat.objects.select_related("stage", "group__stage", "standing", "bye_request"))
"""The prefetch of entries where their seats are shown."""


FIRST_GROUP = (
    Group.objects.filter(stage__competition=OuterRef("pk")).order_by("stage__number", "number").values("pk")[:1]
)
"""The id of the first group of the first stage, of competitions that are read with it as ``first_group``."""


def group_of(competition: Competition) -> int:
    """Return the id of the first group of a competition's first stage. One query, none where it was read with it."""
    known: int | None = vars(competition).get("first_group")
    return first_group_id(competition_id=competition.pk) if known is None else known


def groups_of(competition: Competition) -> list[Group]:
    """Return a competition's groups, stage by stage, each with its stage, and that with this competition. One query."""
    of_competition = Group.objects.filter(stage__competition=competition.pk).select_related("stage")
    groups = list(of_competition.order_by("stage__number", "number"))
    stages = {group.stage_id: group.stage for group in groups}
    for stage in stages.values():
        stage.competition = competition
    for group in groups:
        group.stage = stages[group.stage_id]
    return groups


def find_group(group_id: int) -> Group | None:
    """Return a group with its stage and its competition, ``None`` if it is no more. One query."""
    return Group.objects.filter(pk=group_id).select_related("stage__competition").first()


def first_group_id(*, competition_id: int) -> int:
    """Return the id of the first group of a competition's first stage. One query."""
    (group_id,) = first_group(competition_id)
    return group_id


def first_group(competition_id: int) -> QuerySet[Group, int]:
    """Return a query for the id of the first group of a competition's first stage."""
    groups = Group.objects.filter(stage__competition=competition_id).order_by("stage__number", "number")
    return groups.values_list("pk", flat=True)[:1]


def entrants_on_ladder(group_id: int) -> int:
    """Return how many are in the ladder of which this is the group, by its stored number. One query."""
    return Competition.objects.filter(stages__groups=group_id).values_list("entrants", flat=True).get()


def groups_to_pair() -> QuerySet[Group]:
    """Return the groups of running competitions of which a round waits to be drawn."""
    return Group.objects.filter(pairing_due_since__isnull=False, stage__competition__status=CompetitionStatus.RUNNING)


PAIRING_DUE = Exists(groups_to_pair().filter(stage__competition=OuterRef("pk")))
"""The condition that a round waits to be drawn, of competitions that are read with it as ``pairing_due``."""


ROUND_PROPOSED = Exists(ProposedRound.objects.filter(group__stage__competition=OuterRef("pk")))
"""The condition that a round waits for an organiser, of competitions that are read with it as ``round_proposed``."""


def has_proposed_round(*, competition: Competition) -> bool:
    """Return whether a round of a competition waits for an organiser. One query, none where it was read with it."""
    known: bool | None = vars(competition).get("round_proposed")
    if known is not None:
        return known
    return ProposedRound.objects.filter(group__stage__competition_id=competition.pk).exists()


def is_drawn(*, competition: Competition) -> bool:
    """Return whether a round of a competition has been drawn, published or not. One query."""
    is_drawn = Exists(Round.objects.filter(group=OuterRef("pk"))) | Q(proposed_round__isnull=False)
    return Group.objects.filter(is_drawn, stage__competition=competition.pk).exists()


def is_pairing_due(*, competition: Competition) -> bool:
    """Return whether a round of a competition waits to be drawn. One query, none where it was read with it."""
    known: bool | None = vars(competition).get("pairing_due")
    if known is not None:
        return known
    return groups_to_pair().filter(stage__competition_id=competition.pk).exists()


def seats_by_entry(*, group_id: int, entries: Sequence[int]) -> dict[int, int]:
    """Return the ids of entrants' seats in a group, by entry id. One query."""
    seats = Seat.objects.filter(group_id=group_id, entry__in=entries)
    return dict(seats.values_list("entry_id", "pk"))


def places_by_entry(*, group_id: int, entries: Sequence[int]) -> dict[int, tuple[int, int | None]]:
    """Return entrants' seats in a group, by their ids, and the places there as they are stored. One query."""
    seats = Seat.objects.filter(group_id=group_id, entry__in=entries)
    rows = seats.values_list("entry_id", "pk", "standing__place")
    return {entry: (seat, place) for entry, seat, place in rows}


def standing_of(seat: Seat | None) -> Standing | None:
    """Return the stored row of a seat, if there is one."""
    return getattr(seat, "standing", None)
