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
from rules_engine.values import Side


def start_match(
    *,
    game: str,
    yellow: Player,
    red: Player,
    time_control: TimeControl,
    now: datetime,
    seed: bytes | None = None,
    rematch_of: Match | None = None,
) -> Match:
    """Return a new match, the clock of the side to act running and dice that come first rolled.

    ``seed`` is 32 secret random bytes unless a test gives them. Raises ``UnknownGame``.
    """
    now = clock.whole_millisecond(now)
    seed = seed or secrets.token_bytes(dice.SEED_BYTES)
    position = str(find_game(game).start())
    bank = time_control.bank // clock.MILLISECOND
    with transaction.atomic():
        match = Match.objects.create(
            game=game,
            yellow=yellow,
            red=red,
            rematch_of=rematch_of,
            position=position,
            # Who acts first may be for the dice to say, and they need the match's number.
            side=Side.YELLOW,
            time_bank=time_control.bank // SECOND,
            time_increment=time_control.increment // SECOND,
            time_cap=time_control.cap // SECOND,
            bank_yellow=bank,
            bank_red=bank,
            turn_started_at=now,
            last_event_at=now,
            deadline=clock.deadline(now, time_control.bank),
            seed=seed,
            commitment=dice.commit(seed),
            created_at=now,
        )
        moves = progress.begin(match, now)
        match.save(update_fields=progress.PROGRESS)
        Move.objects.bulk_create(moves)
        ring(match)
    return match
