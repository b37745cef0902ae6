"""Receivers of Django's own signals."""

from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver

from database.clock import current_moment
from players.models import Player
from players.services import note_act


@receiver(user_logged_in, dispatch_uid="players.note_log_in")
def note_log_in(*, user: Player, **kwargs: Any) -> None:
    """Note that a player has acted by logging in."""
    note_act(player=user, now=current_moment())
