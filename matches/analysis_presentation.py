"""Making the shapes of ``matches.analysis_shapes`` out of analyses."""

from __future__ import annotations

from hashlib import sha256
from typing import cast

from matches.analysing import read_verdict
from matches.analysis_shapes import AnalysisShape, AnalysisStatusName, JudgedEventShape, SumShape, SumsShape
from matches.models import Match, MatchAnalysis
from matches.selectors.matches import list_events
from matches.shapes import ActorName, SideName
from rules_engine.analysis import Verdict, sum_up
from rules_engine.values import Side


def present_analysis(match: Match, analysis: MatchAnalysis) -> AnalysisShape:
    """Return the analysis of a match as far as it has come."""
    verdicts = [read_verdict(data) for data in analysis.verdicts]
    return {
        "match": match.pk,
        "url": f"{match.get_absolute_url()}analysis/",
        "status": cast("AnalysisStatusName", str(analysis.status)),
        "judged": analysis.judged,
        "plies": match.ply,
        "engine": {"name": analysis.engine, "nodes": analysis.nodes, "depth": analysis.depth},
        "sums": present_sums(verdicts),
        "events": _judged_events(match, verdicts),
        "wanted_at": analysis.wanted_at,
        "started_at": analysis.started_at,
        "finished_at": analysis.finished_at,
    }


def analysis_etag(analysis: MatchAnalysis) -> str:
    """Return a weak entity tag: while it stays the same ``present_analysis`` gives the same."""
    parts = (analysis.pk, analysis.status, analysis.judged, analysis.wanted_at, analysis.started_at)
    return f'W/"{sha256(repr(parts).encode()).hexdigest()[:32]}"'


def _judged_events(match: Match, verdicts: list[Verdict]) -> list[JudgedEventShape]:
    """Return the events that were judged so far, the first one first."""
    events = list_events(match.pk) if verdicts else []
    return [
        {
            "ply": ply,
            "actor": cast("ActorName", actor),
            "text": text,
            "side": cast("SideName", str(verdict.side)) if verdict.side else None,
            "before": verdict.before,
            "after": verdict.after,
            "luck": verdict.luck,
            "given_away": verdict.given_away,
            "best": verdict.best,
        }
        for (ply, actor, text, *_more), verdict in zip(events, verdicts, strict=False)
    ]


def present_sums(verdicts: list[Verdict]) -> SumsShape:
    """Return the luck of each side's rolls and what its moves gave away."""
    sums = sum_up(verdicts)
    yellow, red = (SumShape(luck=sums.luck[side], given_away=sums.given_away[side]) for side in Side)
    return {"yellow": yellow, "red": red}
