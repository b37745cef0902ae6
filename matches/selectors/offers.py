"""What players may do to a match besides moving: abort it, or offer something to the opponent."""

from django.utils.translation import gettext as _

from matches.errors import AbortNotPossible, OfferNotPossible
from matches.models import Actor, Match, OfferKind
from rules_engine.values import Side


def obstacle_to_abort(match: Match) -> AbortNotPossible | None:
    """Return why a running match cannot be aborted, ``None`` if it can be. At most one query."""
    if match.competition is not None:
        return AbortNotPossible(_("Matches of competitions cannot be aborted."))
    own_moves = match.moves.filter(is_drawn=False, by_itself=False).exclude(actor=Actor.CHANCE)
    if own_moves.order_by().values("actor").distinct().count() > 1:
        return AbortNotPossible(_("Both sides have moved. Resign, or offer to cancel the match."))
    return None


def obstacle_to_offer(match: Match, side: Side, kind: OfferKind) -> OfferNotPossible | None:
    """Return why a side of a running match cannot offer something, ``None`` if it can. At most one query."""
    opponent = match.players[side.opponent]
    if match.competition is not None:
        return OfferNotPossible(_("In matches of competitions nothing can be offered."))
    if opponent.level:
        return OfferNotPossible(_("The computer answers no offers."))
    if kind is OfferKind.DRAW and not match.rules.has_draws:
        return OfferNotPossible(_("This game has no draws."))
    if kind is not OfferKind.TAKE_BACK:
        return None
    if match.is_rated:
        return OfferNotPossible(_("Turns can be taken back in casual matches only."))
    if opponent.is_computer:
        return OfferNotPossible(_("Turns can be taken back against people only."))
    # Moves that followed their own by themselves are taken back with these.
    last = match.moves.exclude(actor=side, by_itself=True).order_by("-ply").first()
    if match.paused_at is not None or last is None or last.actor != side.value or last.is_drawn:
        return OfferNotPossible(
            _("You can take back your last turn only, before your opponent moves and before anything is rolled.")
        )
    return None
