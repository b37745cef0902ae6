"""Mails of what an opponent does beside moves: they offer something, or join by a link."""

from datetime import datetime

from matches.models import Match, Offer, Seek
from matches.services.notifications import NOTIFICATION_DELAY
from players.models import MailKind
from players.services.outbox import Letter, post


def notify_of_offer(match: Match, offer: Offer, now: datetime) -> None:
    """Post a letter to the opponent, which is sent if the offer still stands after some minutes."""
    to = match.players[offer.side.opponent]
    key = f"offer:{match.pk}:{match.ply}:{offer.kind}:{offer.side}"
    letter = Letter(to.pk, MailKind.OPPONENT, key, {"match": match.pk, "offer": offer.kind})
    post(letters=[letter], now=now, delay=NOTIFICATION_DELAY)


def notify_of_joining(seek: Seek, match: Match, now: datetime) -> None:
    """Post a letter to the player whose link was taken, which is sent if they are not to move."""
    letter = Letter(seek.creator_id, MailKind.OPPONENT, f"joined:{seek.pk}", {"match": match.pk})
    post(letters=[letter], now=now, delay=NOTIFICATION_DELAY)
