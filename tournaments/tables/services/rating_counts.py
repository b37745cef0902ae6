"""Keep how many players have which rating, from which their places follow, and who is in the lists.

First ratings, then all others, are locked after competitions, and counts after ratings.
"""

from collections.abc import Mapping
from math import floor

from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from database.named_locks import lock_name
from players.models import Player, Rating
from tournaments.models import RatingCount
from tournaments.tables.selectors.records import count_listed_by_points

MAX_ROWS = 1000


def list_ratings(*, player_id: int, is_open: bool) -> None:
    """Take a player into the lists of ratings, or out of them, as the account is open or not; again has no effect."""
    with transaction.atomic():
        _list(_lock_ratings(player_id), is_open=is_open)


def unlist_closed(*, player_id: int) -> None:
    """Take a player out of the lists of ratings if the account is closed; again has no effect."""
    with transaction.atomic():
        ratings = _lock_ratings(player_id)
        # Read after the ratings were locked: a service that opens an account locks them before.
        if Player.objects.filter(pk=player_id, is_active=False).exists():
            _list(ratings, is_open=False)


def lock_first_ratings() -> None:
    """Let nobody else store somebody's first rating, or open or close an account, until the transaction ends.

    There is no row yet that could be locked. The caller has locked no rating.
    """
    lock_name("first ratings")


def _lock_ratings(player_id: int) -> list[Rating]:
    """Return all ratings of a player, whether they are listed or not: somebody else may be changing that.

    None is added until the transaction ends.
    """
    lock_first_ratings()
    return list(Rating.objects.select_for_update().filter(player=player_id).order_by("family"))


def _list(ratings: list[Rating], *, is_open: bool) -> None:
    for rating in ratings:
        if rating.is_listed is not is_open:
            Rating.objects.filter(pk=rating.pk).update(is_listed=is_open)
            change_counts(family=rating.family, changes={floor(rating.rating): 1 if is_open else -1})


def change_counts(*, family: str, changes: Mapping[int, int]) -> None:
    """Add to the numbers of players of a family by their points. Part of the caller's transaction. One query."""
    changed = sorted((points, change) for points, change in changes.items() if change)
    if changed:
        rows = ", ".join(["(%s, %s, %s)"] * len(changed))
        with connection.cursor() as cursor:
            cursor.execute(f"{_ADD} VALUES {rows} {_OR_CHANGE}", [each for row in changed for each in (family, *row)])


_TABLE = RatingCount._meta.db_table  # noqa: SLF001 - what Django documents
_ADD = f"INSERT INTO {_TABLE} (family, points, players)"
_OR_CHANGE = f"ON CONFLICT (family, points) DO UPDATE SET players = {_TABLE}.players + excluded.players"
"""An upsert, for which Django has no words: a row that is there is changed by the new one."""


def recount_ratings(*, family: str) -> None:
    """List the players of a family whose accounts are open, and count them anew.

    Part of the caller's transaction, which has locked all its ratings.
    """
    is_open = Exists(Player.objects.filter(pk=OuterRef("player_id"), is_active=True))
    Rating.objects.filter(family=family).update(is_listed=is_open)
    RatingCount.objects.filter(family=family).delete()
    counted = count_listed_by_points(family)
    RatingCount.objects.bulk_create(
        [RatingCount(family=family, points=points, players=players) for points, players in sorted(counted.items())],
        batch_size=MAX_ROWS,
    )
