"""Note which pushes were opened: only then their device is told of the same again."""

from datetime import datetime

from players.models import DeliveryState, Player
from push.models import Push


def note_opened(*, player: Player, match_id: int, now: datetime) -> None:
    """Note that the player has opened the match, and so all that was pushed about it."""
    sent = Push.objects.filter(subscription__player=player, state=DeliveryState.SENT, opened_at=None)
    sent.filter(match=match_id).update(opened_at=now)
    if not sent.filter(match__isnull=False).exists():
        # Not if another one was sent meanwhile.
        Player.objects.filter(pk=player.pk, pushed_at=player.pushed_at).update(pushed_at=None)
