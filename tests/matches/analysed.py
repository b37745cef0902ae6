"""Analyses for tests of what is made of them: quickly judged, stored as they would be."""

from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

from django.utils import timezone

from computers.analysis import write_verdict
from matches.models import AnalysisStatus, Match, MatchAnalysis
from rules_engine.analysis import judge_moves
from rules_engine.registry import find_engine, get_game
from rules_engine.search import Budget

SMALL = Budget(nodes=400, depth=1)


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
