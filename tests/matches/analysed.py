"""Analyses for tests of what is made of them: quickly judged, stored as they would be."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

import pytest
from celery import current_app
from django.utils import timezone

from computers import analysis
from computers.analysis import write_verdict
from matches.models import AnalysisStatus, Match, MatchAnalysis
from matches.services import resign
from players.models import Player
from rules_engine.analysis import judge_moves
from rules_engine.registry import find_engine, get_game
from rules_engine.search import Budget
from tests.game_specs import limit_engines
from tests.matches.play import play_to_a_goal

SMALL = Budget(nodes=400, depth=1)


@pytest.fixture
def in_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge with a small budget, one move in a piece, and only when the test says so."""
    limit_engines(monkeypatch, SMALL)
    monkeypatch.setattr(analysis, "MAX_ANALYSIS_SECONDS", -1.0)
    monkeypatch.setattr(current_app, "send_task", lambda *args, **options: None)


@pytest.fixture
def finished(begin: Callable[..., Match], anna: Player) -> Match:
    """Return a match with a goal, of which anna then has had enough unless it was the golden one."""
    match = play_to_a_goal(begin("streetsoccer-online"))
    return resign(match_id=match.pk, player=anna, now=match.last_move_at) if match.side else match


@cache
def judge_quickly(game: str, texts: tuple[str, ...], moves: int | None) -> list[Any]:
    """Return what is stored of verdicts on the first moves of a match, made once for all tests that play the same."""
    rules = get_game(game)
    engine = replace(find_engine(rules), budget=SMALL)
    return [write_verdict(verdict) for verdict in islice(judge_moves(rules.start(), texts, engine), moves)]


def store_analysis(match: Match, *, moves: int | None = None) -> MatchAnalysis:
    """Store an analysis of all moves of a match, or of the first ones as if there were no more."""
    data = judge_quickly(match.game, tuple(match.moves.order_by("ply").values_list("text", flat=True)), moves)
    now = timezone.now()
    return MatchAnalysis.objects.create(
        match=match,
        engine=find_engine(match.rules).version,
        nodes=SMALL.nodes,
        depth=SMALL.depth,
        status=AnalysisStatus.DONE,
        judged=len(data),
        verdicts=data,
        requested_at=now,
        started_at=now,
        finished_at=now,
    )
