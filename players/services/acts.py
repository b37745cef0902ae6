"""Note when players last did anything on the site."""

from datetime import datetime, timedelta

from django.db.models import Q

from database.compiled_queries import CompiledUpdate
from players.models import Player
from players.signals import player_returned

ACT_INTERVAL = timedelta(minutes=1)
"""The time after an act in which the next one is not noted: most requests write nothing."""

LONG_ABSENCE = timedelta(days=1)
"""The time without an act after which others are told that the player is back."""

_ACT = CompiledUpdate(
    lambda player_id, now: Player.objects.filter(Q(acted_at=None) | Q(acted_at__lt=now), pk=player_id), acted_at="now"
)


def note_act(*, player: Player, now: datetime) -> None:
    """Remember that the player did something, to the minute; nothing is kept of computers.

    After a day or longer ``player_returned`` is sent before. The caller has locked nothing.
    """
    before = player.acted_at
    if player.is_computer or (before is not None and now - before < ACT_INTERVAL):
        return
    if before is not None and now - before >= LONG_ABSENCE:
        player_returned.send(sender=Player, player_id=player.pk, now=now)
    _ACT.run(player_id=player.pk, now=now)
    player.acted_at = now
