"""Services that start matches, one or many at once."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from database.reserved_ids import reserve_ids
from matches import clock, dice
from matches.clock import TimeControl
from matches.games import find_game
from matches.models import Match, Move
from matches.models.time_control import columns_of
from matches.services import progress
from matches.services.after_commit import notify_started
from players.models import Player
from rules_engine.values import BySide


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchTerms:
    """The terms that matches which start together share.

    ``vacation_limit`` is how many days of vacation each player may use in all matches of the ``competition``, ``None``
    for as many as they have. A side makes its first move within ``begin_within`` seconds, if that is less than its
    bank. In a competition that is paused the clocks stand still from the beginning.
    """

    game: str
    time_control: TimeControl
    vacation_limit: int | None = None
    begin_within: int | None = None
    competition: int | None = None
    is_paused: bool = False


@dataclass(frozen=True, slots=True)
class Pairing:
    """The players of a new match, and whether it counts for the ratings."""

    players: BySide[Player]
    is_rated: bool = False


def start_matches(*, terms: MatchTerms, pairings: Iterable[Pairing], now: datetime) -> Sequence[Match]:
    """Return a new match for each pairing, in their order, the clock running and dice that come first rolled.

    Three queries however many they are, in batches where the database limits a statement. Raises ``UnknownGame``.
    """
    return _begin([_new_match(terms, pairing, now) for pairing in pairings])


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
    begin_within: int | None = None,
    competition: int | None = None,
    is_paused: bool = False,
) -> Match:
    """Return a new match on the terms of ``MatchTerms``, the clock running and dice that come first rolled.

    ``seed`` is 32 secret random bytes unless a test gives them. Raises ``UnknownGame``.
    """
    terms = MatchTerms(
        game=game,
        time_control=time_control,
        vacation_limit=vacation_limit,
        begin_within=begin_within,
        competition=competition,
        is_paused=is_paused,
    )
    match = _new_match(terms, Pairing(BySide(yellow, red), is_rated), now, seed)
    match.rematch_of = rematch_of
    (match,) = _begin([match])
    return match


def _new_match(terms: MatchTerms, pairing: Pairing, now: datetime, seed: bytes | None = None) -> Match:
    now = clock.whole_millisecond(now)
    seed = seed or secrets.token_bytes(dice.SEED_BYTES)
    return Match(
        game=find_game(terms.game).key,
        yellow=pairing.players.yellow,
        red=pairing.players.red,
        is_rated=pairing.is_rated,
        **columns_of(terms.time_control),
        seed=seed.hex(),
        commitment=dice.commit(seed),
        created_at=now,
        vacation_limit=terms.vacation_limit,
        begin_within=terms.begin_within,
        competition=terms.competition,
        paused_at=now if terms.is_paused else None,
    )


def _begin(matches: Sequence[Match]) -> Sequence[Match]:
    """Roll the dice that come first, which need a match's id, store the matches, and return them."""
    if not matches:
        return []
    with transaction.atomic():
        moves = []
        reserved = reserve_ids(Match, len(matches))
        for match, match_id in zip(matches, reserved.ids, strict=True):
            match.pk, match.changed_at = match_id, reserved.at
            moves += progress.begin(match)
        Match.objects.bulk_create(matches)
        Move.objects.bulk_create(moves)
        notify_started(matches)
    return matches
