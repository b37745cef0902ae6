"""Let matches go on, or count again, when what an organiser decided about them is taken back."""

import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from matches import clock, dice
from matches.errors import MatchOver
from matches.models import Match, MatchAnalysis, SpentSeed, Status
from matches.selectors.matches import get_match
from matches.services import progress
from matches.services.adjudication import note_pause
from matches.services.after_commit import notify_changed, notify_move
from rules_engine.values import Ending

DECIDED = frozenset({Ending.ADJUDICATION, Ending.FORFEIT})
"""The endings of matches that were decided from outside: such a match can go on."""


def reopen_match(*, match_id: int, now: datetime, is_paused: bool = False) -> Match:
    """Let a match of a competition that was decided from outside go on from where it stood, and return it.

    The clocks hold what they held when it ended, and stand still until they are resumed if it ``is_paused``. Further
    rolls come from a new seed, as everybody has seen the one before. Raises ``MatchNotFound``, or ``MatchOver`` for a
    match that its players have ended, that goes on, or that belongs to no competition, where nobody decides.
    """
    now = clock.whole_millisecond(now)
    with transaction.atomic():
        match = get_match(match_id)
        if match.status != Status.FINISHED or match.ending not in DECIDED or match.competition is None:
            raise MatchOver(_("The match was not ended by a decision."))
        # A side that did not begin in time has its time to begin anew.
        stopped_at = match.turn_started_at if match.is_no_show else match.finished_at
        length = clock.spent(stopped_at or now, now)
        _reopen(match, length, now, is_paused=is_paused)
        note_pause(match=match, side=match.side, length=length, now=now)
    return get_match(match_id)


def _reopen(match: Match, length: timedelta, now: datetime, *, is_paused: bool) -> None:
    """Store that a finished match goes on after its clock stood still for so long. Raises ``MatchOver``."""
    progress.go_on(match, length)
    fields = {name: getattr(match, name) for name in progress.PROGRESS}
    fields |= {"annulled_at": None, "settled_at": None, "claimed_until": None, **_draw_seed(match)}
    fields["paused_at"] = match.paused_at = now if is_paused else None
    if not Match.objects.filter(pk=match.pk, status=Status.FINISHED).update(**fields):
        raise MatchOver(_("The match goes on already."))
    # The engine's analysis is not for players whose match goes on.
    MatchAnalysis.objects.filter(match=match).delete()
    notify_move(match)


def count_match_again(*, match_id: int) -> Match:
    """Let a match that was annulled after its end count again, and return it. Raises ``MatchNotFound``."""
    with transaction.atomic():
        if Match.objects.filter(pk=match_id, annulled_at__isnull=False).update(annulled_at=None):
            notify_changed([match_id])
        return get_match(match_id)


def _draw_seed(match: Match) -> dict[str, object]:
    """Keep the seed that was shown, and return the fields of a new one."""
    SpentSeed.objects.create(match=match, rolls=match.rolls, seed=match.seed, commitment=match.commitment)
    seed = secrets.token_bytes(dice.SEED_BYTES)
    return {"seed": seed.hex(), "commitment": dice.commit(seed)}
