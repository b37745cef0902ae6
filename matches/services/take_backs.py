"""The last turn of a match is taken back: its moves leave the match, and are kept beside it."""

from datetime import datetime

from matches.models import ClockExtension, ExtensionKind, Match, TakenBackMove
from matches.models.taken_back_move import TAKEN_BACK_FIELDS
from matches.selectors.take_backs import all_played
from matches.services import progress
from matches.services.after_commit import notify_move
from matches.services.conditional_answers import forget_answers
from matches.services.verification import play_again


def take_back(match: Match, now: datetime) -> Match:
    """Take back the last turn of a locked match, and return the match as it is then.

    Its moves were a side's own, and nothing was rolled since. Time that was used stays used.
    """
    row = ClockExtension(
        match=match,
        kind=ExtensionKind.TAKE_BACK,
        ply=match.ply,
        side=match.side,
        milliseconds=0,
        granted_at=max(now, match.last_move_at, match.turn_started_at),
    )
    moves = list(match.moves.all())
    after, _played = play_again(match, all_played(match, moves), [*match.clock_extensions.all(), row])
    row.save()
    TakenBackMove.objects.bulk_create(
        TakenBackMove(take_back=row, **{name: getattr(move, name) for name in TAKEN_BACK_FIELDS})
        for move in moves[after.ply :]
    )
    match.moves.filter(ply__gte=after.ply).delete()
    after.extensions, after.take_backs = match.extensions + 1, match.take_backs + 1
    after.offer = after.offered_by = ""
    stored = (*progress.PROGRESS, "extensions", "take_backs", "offer", "offered_by")
    Match.objects.filter(pk=match.pk).update(**{name: getattr(after, name) for name in stored})
    forget_answers([match.pk])
    notify_move(after)
    return after
