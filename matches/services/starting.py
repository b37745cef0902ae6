"""Starting a match."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.db import transaction

from matches import clock, dice
from matches.clock import SECOND, TimeControl
from matches.games import find_game
from matches.models import Match, Move
from matches.services import progress
from matches.services.doorbells import ring
from players.models import Player


def start_match(
    *,
    game: str,
    yellow: Player,
    red: Player,
    time_control: TimeControl,
    now: datetime,
    seed: bytes | None = None,
    rematch_of: Match | None = None,
    is_rated: bool = False,
    vacation_limit: int | None = None,
    competition: int | None = None,
    is_paused: bool = False,
) -> Match:
    """Return a new match, the clock of the side to act running and dice that come first rolled.

    ``seed`` is 32 secret random bytes unless a test gives them. ``vacation_limit`` is how many days of vacation
    each player may use in all matches of the ``competition``, ``None`` for as many as he has. In a competition that
    is paused the clock stands still from the beginning. Raises ``UnknownGame``.
    """
    now = clock.whole_millisecond(now)
    seed = seed or secrets.token_bytes(dice.SEED_BYTES)
    match = Match(
        game=find_game(game).key,
        yellow=yellow,
        red=red,
        rematch_of=rematch_of,
        is_rated=is_rated,
        time_bank=time_control.bank // SECOND,
        time_increment=time_control.increment // SECOND,
        time_cap=time_control.cap // SECOND,
        seed=seed,
        commitment=dice.commit(seed),
        created_at=now,
        vacation_limit=vacation_limit,
        competition=competition,
        paused_at=now if is_paused else None,
    )
    progress.reset(match)
    with transaction.atomic():
        match.save()
        moves = progress.begin(match)
        match.save(update_fields=progress.PROGRESS)
        Move.objects.bulk_create(moves)
        ring(match)
    return match
