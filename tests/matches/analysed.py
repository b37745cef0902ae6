"""Analyses for tests of what is made of them: quickly judged, stored as they would be."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from django.utils import timezone

from computers.analysis import write_verdict
from matches.models import AnalysisStatus, Match, MatchAnalysis
from rules_engine.analysis import judge_moves
from rules_engine.registry import find_engine
from rules_engine.search import Budget

SMALL = Budget(nodes=400, depth=1)


def store_analysis(match: Match, *, moves: int | None = None) -> MatchAnalysis:
    """Store an analysis of all moves of a match, or of the first ones as if there were no more."""
    engine = replace(find_engine(match.rules), budget=SMALL)
    texts = [move.text for move in match.moves.order_by("ply")]
    verdicts = islice(judge_moves(match.rules.start(), texts, engine), moves)
    data = [write_verdict(verdict) for verdict in verdicts]
    now = timezone.now()
    return MatchAnalysis.objects.create(
        match=match,
        engine=engine.version,
        nodes=SMALL.nodes,
        depth=SMALL.depth,
        status=AnalysisStatus.DONE,
        judged=len(data),
        verdicts=data,
        requested_at=now,
        started_at=now,
        finished_at=now,
    )
