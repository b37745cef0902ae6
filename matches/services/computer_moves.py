"""Computers as players: they are invited, move, and take seeks by the same services as people."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cache

import structlog
from django.db import transaction
from django.db.models import Case, F, IntegerField, Q, QuerySet, Value, When

from computers.jobs import BestMove, run_job
from computers.levels import COSTS, Level, level_of, levels_in, levels_to_try
from database.isolation import attempt_each
from matches import dice
from matches.clock import CORRESPONDENCE
from matches.errors import (
    MatchOver,
    MatchPaused,
    NotYourTurn,
    SeekClosed,
    SeekNotFound,
    StalePly,
    TooLate,
    TooManyComputerMatches,
)
from matches.models import Colour, Match, QueueName, Seek
from matches.selectors.computers import oldest_unclaimed_turns, unclaimed_turns
from matches.selectors.matches import get_match
from matches.selectors.seeks import obstacle_to, seeks_for_computers
from matches.services.after_commit import call_computer
from matches.services.engine_queues import charge, client_of, find_next, forget_shares, lock_queue
from matches.services.moves import play_move
from matches.services.seeks import open_seek, take_seek, toss_coin
from players.models import Player
from players.selectors import ratings_in
from players.services import ensure_computer
from rules_engine.registry import get_game
from rules_engine.values import Side

SWEEP_DELAY = timedelta(seconds=5)
"""The time for which a computer may be to act before it is called again."""

BATCH = 500

CLAIM_TIMEOUT = timedelta(seconds=15)
"""The time for which a turn is left to the worker that has claimed it: longer than the job's own timeout."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The choice of a computer in a match, as it was at a ply."""

    match_id: int
    player: Player
    ply: int
    text: str


def play_against_computer(
    *,
    player: Player,
    game: str,
    colour: Colour,
    now: datetime,
    level: Level = Level.CLUB,
    toss: Callable[[], Side] = toss_coin,
) -> Match:
    """Return a new match of the player, who has ``colour``, against the computer of a level.

    Raises ``UnknownGame``, ``NoComputer`` where the computer does not play the game at this level, or
    ``TooManyComputerMatches``.
    """
    seek = open_seek(
        creator=player,
        invited=ensure_computer(level=level, now=now),
        game=game,
        colour=colour,
        time_control=CORRESPONDENCE,
        now=now,
        toss=toss,
    )
    if seek.match is None:
        raise AssertionError("the computer takes an invitation at once")
    return seek.match


def claim_turn(*, now: datetime) -> int | None:
    """Claim the next turn of a computer and return the id of its match; ``None`` if none waits.

    Clients take turns, and a weaker level goes before a stronger one. The claim ends after ``CLAIM_TIMEOUT``, or when
    the match has gone on.
    """
    while unclaimed_turns(now=now).exists():
        with transaction.atomic():
            queue = lock_queue(QueueName.TURNS)
            turn = find_next(queue, _for_clients(unclaimed_turns(now=now)), "last_move_at")
            if turn is None:
                return None
            # It may have been given up, or paused, since it was found.
            if (
                unclaimed_turns(now=now)
                .filter(pk=turn.pk)
                .update(claimed_ply=F("ply"), claimed_until=now + CLAIM_TIMEOUT)
            ):
                charge(queue, turn)
                return turn.pk
    return None


def choose_move(*, match_id: int) -> Choice | None:
    """Choose the move of the computer that is to act; return ``None`` if no computer is. Stores nothing.

    A late or second call does no harm. Raises ``MatchNotFound``.
    """
    match = get_match(match_id)
    player = match.player_to_act
    if player is None or not player.is_computer or match.paused_at is not None or not levels_in(match.rules):
        return None
    return Choice(match.pk, player, match.ply, _choose(match, level_of(player)))


def play_choice(choice: Choice, *, now: datetime) -> None:
    """Play what a computer has chosen, unless the match has gone on or ended meanwhile.

    If a computer is to act again after it, ``play_move`` calls one.
    """
    with suppress(StalePly, NotYourTurn, MatchOver, MatchPaused, TooLate):
        play_move(match_id=choice.match_id, player=choice.player, ply=choice.ply, text=choice.text, now=now)


def call_waiting_computers(*, now: datetime, limit: int = BATCH) -> int:
    """Queue calls for up to ``limit`` computers that have been to act for a while; return how many calls.

    A call expires when the next one is due, so that calls never pile up.
    """
    turns = oldest_unclaimed_turns(now=now, limit=limit)
    forget_shares(QueueName.TURNS, is_empty=not turns)
    waiting = sum(since <= now - SWEEP_DELAY for since in turns)
    for _ in range(waiting):
        call_computer(expires=SWEEP_DELAY)
    return waiting


def _for_clients(turns: QuerySet[Match]) -> QuerySet[Match]:
    """Annotate matches in which a computer is to act with the ``client`` it acts for, and the ``cost`` of its level."""
    is_yellow = Q(side=Side.YELLOW)
    levels = [
        When((is_yellow & Q(yellow__level=level)) | (~is_yellow & Q(red__level=level)), then=Value(cost))
        for level, cost in COSTS.items()
    ]
    return turns.annotate(
        opponent=Case(When(is_yellow, then=F("red_id")), default=F("yellow_id")),
        digest=Case(When(is_yellow, then=F("red__client_digest")), default=F("yellow__client_digest")),
        client=client_of("opponent", "digest"),
        cost=Case(*levels, default=Value(COSTS[Level.CLUB]), output_field=IntegerField()),
    )


def _choose(match: Match, level: Level) -> str:
    """Return a legal move. If a level fails or takes too long, the next weaker one chooses.

    Otherwise the same position would fail at every call, until the computer's time runs out.
    """
    state, seed = match.state, dice.seed_of_choices(bytes.fromhex(match.seed))
    for each in levels_to_try(match.rules, level):
        try:
            text = run_job(BestMove(match.game, match.position, each, seed))
            state.play(text)
        except Exception:
            logger.exception("computer_failed", match_id=match.pk, ply=match.ply, level=str(each))
        else:
            return text
    return next(iter(state.legal_moves()))


SEEK_DELAY = timedelta(minutes=1)
"""The time for which a seek is left to people before a computer takes it."""

logger = structlog.get_logger(__name__)


def take_waiting_seeks(*, now: datetime) -> int:
    """Let computers take the seeks that admit them and that no person has taken; return how many were taken.

    Of the computers that play the game and have a rating that the seek admits, the one rated nearest to its creator
    takes it. A seek that fails does not stop the others.
    """
    seeks = list(seeks_for_computers(since=now - SEEK_DELAY))
    computers = list(Player.objects.filter(is_active=True).exclude(level="")) if seeks else []
    players = {player.pk: player for player in [*computers, *(seek.creator for seek in seeks)]}

    @cache
    def rate_in(family: str) -> Mapping[int, Decimal]:
        return ratings_in(family=family, players=list(players.values()))

    def take(seek: Seek) -> bool:
        opponent = _opponent_for(seek, computers, rate_in(get_game(seek.game).family))
        if opponent is None:
            return False
        with suppress(SeekClosed, SeekNotFound, TooManyComputerMatches):
            take_seek(seek_id=seek.pk, player=opponent, now=now)
            return True
        return False

    return sum(attempt_each(seeks, take, event="seek_not_taken", key="seek_id"))


def _opponent_for(seek: Seek, computers: Iterable[Player], ratings: Mapping[int, Decimal]) -> Player | None:
    levels = levels_in(get_game(seek.game))
    admitted = [
        player
        for player in computers
        if level_of(player) in levels and obstacle_to(seek, player, ratings[player.pk]) is None
    ]
    rating = ratings[seek.creator_id]
    return min(admitted, key=lambda player: abs(ratings[player.pk] - rating), default=None)
