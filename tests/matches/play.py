"""Beginning and playing matches in tests, and hearing of them."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.dispatch import Signal

from matches.clock import CORRESPONDENCE
from matches.models import Colour, Match, Move, Seek
from matches.selectors.matches import get_match
from matches.services import PlayedMove, open_seek, play_move, progress, start_match
from matches.services.move_storage import store_moves
from players.models import Player
from rules_engine.values import Side
from tests.matches.conftest import NOON

YELLOW_SET_UP = "@d1,c3,d5,f7,g4"
RED_SET_UP = "@e10,c8,e6,c4,f9"


def begin_match(yellow: Player, red: Player, **options: Any) -> Match:
    """Start a match, by correspondence at noon on the board of StreetSoccer if the options say nothing else."""
    usual: dict[str, Any] = {"game": "streetsoccer-board", "time_control": CORRESPONDENCE, "now": NOON}
    return start_match(yellow=yellow, red=red, **(usual | options))


def seek_of(creator: Player, **wishes: Any) -> Seek:
    """Open a seek whose creator is yellow in such a match, if the wishes say nothing else."""
    usual: dict[str, Any] = {
        "game": "streetsoccer-board",
        "time_control": CORRESPONDENCE,
        "now": NOON,
        "colour": Colour.YELLOW,
    }
    return open_seek(creator=creator, **(usual | wishes))


@contextmanager
def heard(signal: Signal, name: str) -> Iterator[list[Any]]:
    """Collect what a signal says under a name."""
    said: list[Any] = []

    def hear(**facts: Any) -> None:
        said.append(facts[name])

    signal.connect(hear)
    try:
        yield said
    finally:
        signal.disconnect(hear)


def act(match: Match, text: str | None = None, *, now: datetime | None = None, player: Player | None = None) -> Match:
    """Let the side to act play ``text``, or its first legal move, a minute after the last move."""
    return play(match, text, now=now, player=player).match


def play(
    match: Match, text: str | None = None, *, now: datetime | None = None, player: Player | None = None
) -> PlayedMove:
    actor = player or match.player_to_act
    assert actor is not None
    return play_move(
        match_id=match.pk,
        player=actor,
        ply=match.ply,
        text=text or match.state.legal_moves()[0],
        now=now or match.last_move_at + timedelta(minutes=1),
    )


def set_up(match: Match) -> Match:
    """Let both sides of a board match place their players."""
    return act(act(match, YELLOW_SET_UP), RED_SET_UP)


def play_randomly(match: Match, *, until: int | None = None, seed: int = 1) -> Match:
    """Play random legal moves to the end, or until so many moves are stored."""
    source = random.Random(seed)
    while match.side and (until is None or match.ply < until):
        match = act(match, source.choice(list(match.state.legal_moves())))
    return match


def play_at_once(match: Match, *, until: int | None = None, seed: int = 1) -> Match:
    """Play the moves that ``play_randomly`` would play, but store all of them at once: in a fifth of the time."""
    source = random.Random(seed)
    match, moves = reread(match), []
    while match.side and (until is None or match.ply < until):
        text = source.choice(list(match.state.legal_moves()))
        now = match.last_move_at + timedelta(minutes=1)
        moves += progress.play(match, match.state.play(text), Side(match.side), [text], now=now)
    assert store_moves(match, moves)
    return match


def move_both(match: Match) -> Match:
    """Let both sides play a first move at the moment when the match began, so that it can be rated."""
    moves, missing = [], set(Side)
    while missing:
        side = Side(match.side)
        text = match.state.legal_moves()[0]
        moves += progress.play(match, match.state.play(text), side, [text], now=match.created_at)
        missing.discard(side)
    assert store_moves(match, moves)
    return match


def play_to_a_goal(match: Match, *, seed: int = 1) -> Match:
    """Play random legal moves, but the first goal that can be scored."""
    source = random.Random(seed)
    while not sum(match.state.score):
        moves = list(match.state.legal_moves())
        goals = [move for move in moves if move.endswith("goal")]
        match = act(match, source.choice(goals or moves))
    return match


def stored(match: Match) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return everything that the database holds of a match, to see that nothing has changed."""
    moves = Move.objects.filter(match=match).order_by("ply").values()
    return dict(Match.objects.values().get(pk=match.pk)), [dict(move) for move in moves]


@contextmanager
def unchanged(*matches: Match) -> Iterator[None]:
    """See to it that nothing changes meanwhile of what the database holds of matches."""
    before = [stored(match) for match in matches]
    yield
    assert [stored(match) for match in matches] == before


def reread(match: Match) -> Match:
    """Return the match as it is stored now."""
    return get_match(match.pk)
