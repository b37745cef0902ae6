"""Delete matches that guests began and never moved in."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from matches.models import Match, Move, Seek
from rules_engine.values import Side

UNMOVED_LIFETIME = timedelta(days=1)
"""The time for which a match without a move of a guest is kept."""

OLDEST = timedelta(days=30)
"""Older matches are not looked for: a sweep that comes so late has not run for a month."""

BATCH = 500


def delete_unmoved_matches(*, now: datetime) -> int:
    """Delete the matches of guests of a day ago or earlier in which no person has moved, over or not; return how many.

    Those against players with an account stay, and so do those that a rematch follows. Each batch is a transaction.
    """
    deleted = 0
    while batch := _delete_batch(now):
        deleted += batch
    return deleted


def _delete_batch(now: datetime) -> int:
    with transaction.atomic():
        found = _unmoved(now).select_for_update(of=("self",), skip_locked=True).values_list("pk", flat=True)
        locked = list(found[:BATCH])
        # Asked again once they are locked: somebody may have moved meanwhile.
        unmoved = list(_unmoved(now).filter(pk__in=locked).values_list("pk", flat=True))
        Seek.objects.filter(Q(match__in=unmoved) | Q(rematch_of__in=unmoved)).delete()
        Match.objects.filter(pk__in=unmoved).delete()
    return len(unmoved)


def _unmoved(now: datetime) -> QuerySet[Match]:
    moves = Move.objects.filter(match=OuterRef("pk"), by_itself=False)
    matches = Match.objects.filter(
        created_at__lte=now - UNMOVED_LIFETIME,
        created_at__gt=now - OLDEST,
        competition=None,
        is_rated=False,
        rematch=None,
    ).filter(Q(yellow__is_guest=True) | Q(red__is_guest=True))
    for side in Side:
        is_unmoved_guest = Q(**{f"{side}__is_guest": True}) & ~Exists(moves.filter(actor=side))
        matches = matches.filter(is_unmoved_guest | ~Q(**{f"{side}__level": ""}))
    return matches.order_by("pk")
