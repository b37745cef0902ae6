"""The locks under which competitions and their tables change."""

from collections.abc import Collection

from database.compiled_queries import CompiledQuery
from database.named_locks import lock_name, lock_names
from tournaments.models import Competition, Group
from tournaments.models.competition import draw_version
from tournaments.records.competitions import MAY_GATHER
from tournaments.records.errors import NO_COMPETITION, CompetitionNotFound

_LOCKED = CompiledQuery(
    lambda competition_id: (
        Competition.objects.select_for_update(of=("self",), no_key=True)
        .annotate(may_gather=MAY_GATHER)
        .filter(pk=competition_id)
        .order_by()
    ),
    # Its values have types that PostgreSQL cannot tell from the statement.
    is_prepared=False,
)


def lock_competition(*, competition_id: int, is_to_change: bool = True) -> Competition:
    """Return the competition, locked until the transaction ends: every change of it or its entries holds this lock.

    Whatever changes is another version of its pages, and may let a ladder start games, so the sweep looks at it again,
    unless it ``is_to_change`` only by games that start. Locks come before those of matches, everywhere. Raises
    ``CompetitionNotFound``.
    """
    competition = _LOCKED.find(competition_id=competition_id)
    if competition is None:
        raise CompetitionNotFound(NO_COMPETITION)
    competition.page_version = draw_version()
    if is_to_change:
        competition.pairing_due_at = None
    competition.save(update_fields=["page_version", "pairing_due_at"])
    return competition


def lock_competitions(*, competition_ids: Collection[int]) -> None:
    """Lock competitions until the transaction ends, in one order everywhere."""
    locked = Competition.objects.select_for_update(of=("self",), no_key=True)
    keys = list(locked.filter(pk__in=competition_ids).order_by("pk").values_list("pk", flat=True))
    Competition.objects.filter(pk__in=keys).update(page_version=draw_version())


def lock_table(*, group_id: int) -> None:
    """Wait until nobody else makes the table of a group, and let nobody else make it until the transaction ends.

    The rows of group and competition, which settling a result needs, stay free.
    """
    lock_name(_table_of(group_id))


def lock_tables(*, competition_id: int) -> None:
    """Lock the tables of all groups of a competition, as ``lock_table`` does one. Two queries.

    The caller holds the competition's lock, and has changed nothing yet that a table is made of. Each table takes a
    place among PostgreSQL's locks: there should not be more than some thousand.
    """
    groups = Group.objects.filter(stage__competition=competition_id).order_by("pk")
    lock_names(map(_table_of, groups.values_list("pk", flat=True)))


def _table_of(group_id: int) -> str:
    return f"table of group {group_id}"
