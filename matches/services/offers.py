"""Offers of one player to the other outside of competitions, and what follows once one is accepted.

An offer stands until the next move. What can be done at once, or refused, is done under the lock of the match.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from matches import clock
from matches.errors import MatchOver, NoSuchOffer
from matches.models import Match, Offer, OfferKind
from matches.selectors.matches import get_match
from matches.selectors.offers import obstacle_to_abort, obstacle_to_offer
from matches.services import progress
from matches.services.after_commit import notify_matches, notify_move
from matches.services.conditional_answers import forget_answers
from matches.services.opponent_mails import notify_of_offer
from matches.services.running_match import lock_running
from matches.services.take_backs import take_back
from players.models import Player
from players.services.budgets import spending_of
from rules_engine.values import Ending, Outcome, Side
from web.limits.table import OFFERS


@transaction.atomic
def abort(*, match_id: int, player: Player, now: datetime) -> Match:
    """Abort a match in which not both sides have moved, and return it: it has no result, and counts nowhere.

    A second call has no effect. Raises ``MatchNotFound``, ``NotYourMatch``, ``MatchOver``, ``TooLate`` or
    ``AbortNotPossible``.
    """
    now = clock.whole_millisecond(now)
    try:
        match, _side = lock_running(match_id=match_id, player=player, now=now)
    except MatchOver:
        match = get_match(match_id)
        if match.ending != Ending.CANCELLED:
            raise
        return match
    if obstacle := obstacle_to_abort(match):
        raise obstacle
    return _cancel(match, now)


def make_offer(*, match_id: int, player: Player, kind: OfferKind, now: datetime) -> Match:
    """Offer something to the opponent and return the match; offering it again has no effect.

    Where the opponent has offered to cancel, or a draw, the same offer accepts theirs. Another one takes the place of
    the one that stood. Raises ``MatchNotFound``, ``NotYourMatch``, ``MatchOver``, ``TooLate``, ``OfferNotPossible`` or
    ``BudgetSpent``.
    """
    now = clock.whole_millisecond(now)
    with spending_of(player, OFFERS, now=now), transaction.atomic():
        match, side = lock_running(match_id=match_id, player=player, now=now)
        if obstacle := obstacle_to_offer(match, side, kind):
            raise obstacle
        if kind is not OfferKind.TAKE_BACK and match.standing_offer == Offer(kind, side.opponent):
            return _agree(match, kind, now)
        match = _set_offer(match, kind, side)
        notify_of_offer(match, Offer(kind, side), now)
        return match


@transaction.atomic
def accept_offer(*, match_id: int, player: Player, kind: OfferKind, now: datetime) -> Match:
    """Accept what the opponent offers, and return the match as it is then.

    Raises ``MatchNotFound``, ``NotYourMatch``, ``MatchOver``, ``TooLate``, or ``NoSuchOffer`` if it does not stand.
    """
    now = clock.whole_millisecond(now)
    match, side = lock_running(match_id=match_id, player=player, now=now)
    if match.standing_offer != Offer(kind, side.opponent):
        raise NoSuchOffer(_("Your opponent does not offer this any more."))
    return _agree(match, kind, now)


@transaction.atomic
def decline_offer(*, match_id: int, player: Player, now: datetime) -> Match:
    """Decline what the opponent offers, or withdraw one's own offer, and return the match; without one nothing happens.

    Raises ``MatchNotFound``, ``NotYourMatch``, ``MatchOver`` or ``TooLate``.
    """
    match, side = lock_running(match_id=match_id, player=player, now=clock.whole_millisecond(now))
    return match if match.standing_offer is None else _set_offer(match, None, side)


def _set_offer(match: Match, kind: OfferKind | None, side: Side) -> Match:
    match.offer, match.offered_by, match.offered_at_ply = kind or "", side if kind else "", match.ply
    fields = {name: getattr(match, name) for name in ("offer", "offered_by", "offered_at_ply")}
    Match.objects.filter(pk=match.pk).update(**fields)
    notify_matches([match])
    return match


def _agree(match: Match, kind: OfferKind, now: datetime) -> Match:
    if kind is OfferKind.TAKE_BACK:
        return take_back(match, now)
    if kind is OfferKind.CANCEL:
        return _cancel(match, now)
    return _finish(match, Ending.AGREEMENT, now)


def _cancel(match: Match, now: datetime) -> Match:
    match.annulled_at = now
    Match.objects.filter(pk=match.pk).update(annulled_at=now)
    return _finish(match, Ending.CANCELLED, now)


def _finish(match: Match, ending: Ending, now: datetime) -> Match:
    progress.finish(match, Outcome(None, ending, match.state.score), now)
    progress.store(match, ply=match.ply)
    forget_answers([match.pk])
    notify_move(match)
    return match
