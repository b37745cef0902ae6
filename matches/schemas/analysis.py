"""Analyses in JSON.

Chances are from 0 to 1, and what is gained or lost of them from -1 to 1; a draw counts a half.
"""

from datetime import datetime
from hashlib import sha256
from typing import Literal, TypedDict, cast

from computers.analysis import read_verdict
from matches.models import Match, MatchAnalysis
from matches.schemas.values import ActorName, SideName, side_to_json
from matches.selectors.matches import list_moves
from rules_engine.analysis import Verdict, sum_up
from rules_engine.values import Side

AnalysisStatusName = Literal["waiting", "running", "done", "failed"]


class EngineSchema(TypedDict):
    """The engine that judges, and how far it looks."""

    name: str
    """With its version."""
    nodes: int
    """The most other positions that it looks at for each that it judges."""
    depth: int
    """The most turns that it looks ahead."""


class JudgedMoveSchema(TypedDict):
    """The engine's verdict on a move or a roll."""

    ply: int
    actor: ActorName
    text: str
    side: SideName | None
    """The side that played the move, or whose roll it is; null for a coin, and where both roll against each other."""
    before: float
    """Yellow's chance of winning: before a roll the mean over all faces, before a move after the best move."""
    after: float
    """Yellow's chance of winning after it."""
    luck: float
    """The gain of a roll over the mean for its side (for Yellow, where it has none); 0 for a move."""
    given_away: float
    """The loss of its side by a move, against ``best``; 0 for a roll."""
    best: str | None
    """The best move that was found, several actions joined perhaps; null for a roll, and in a set-up."""


class AnalysisSumSchema(TypedDict):
    """The luck of a side's rolls, and what its moves gave away."""

    luck: float
    given_away: float


class AnalysisSumsSchema(TypedDict):
    """Sums for each side. Half the luck of rolls without a side is Yellow's, and as much bad luck is Red's."""

    yellow: AnalysisSumSchema
    red: AnalysisSumSchema


class AnalysisSchema(TypedDict):
    """The analysis of a match as far as it has come."""

    match: int
    url: str
    """The page of the analysis."""
    status: AnalysisStatusName
    judged: int
    """The number of moves and rolls that have been judged so far."""
    plies: int
    """The number of all moves and rolls of the match."""
    engine: EngineSchema
    sums: AnalysisSumsSchema
    """The sums of the moves and rolls that have been judged so far."""
    moves: list[JudgedMoveSchema]
    """The moves and rolls that have been judged so far."""
    requested_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


def analysis_to_json(match: Match, analysis: MatchAnalysis) -> AnalysisSchema:
    """Return the analysis of a match as far as it has come."""
    verdicts = [read_verdict(data) for data in analysis.verdicts]
    return {
        "match": match.pk,
        "url": f"{match.get_absolute_url()}analysis/",
        "status": cast("AnalysisStatusName", str(analysis.status)),
        "judged": analysis.judged,
        "plies": match.ply,
        "engine": {"name": analysis.engine, "nodes": analysis.nodes, "depth": analysis.depth},
        "sums": sums_to_json(verdicts),
        "moves": _judged_moves_to_json(match, verdicts),
        "requested_at": analysis.requested_at,
        "started_at": analysis.started_at,
        "finished_at": analysis.finished_at,
    }


def analysis_etag(analysis: MatchAnalysis) -> str:
    """Return a weak entity tag: while it stays the same, so does what ``analysis_to_json`` returns."""
    parts = (analysis.pk, analysis.status, analysis.judged, analysis.requested_at, analysis.started_at)
    return f'W/"{sha256(repr(parts).encode()).hexdigest()[:32]}"'


def sums_to_json(verdicts: list[Verdict]) -> AnalysisSumsSchema:
    """Return the luck of each side's rolls and what its moves gave away."""
    sums = sum_up(verdicts)
    yellow, red = (AnalysisSumSchema(luck=sums.luck[side], given_away=sums.given_away[side]) for side in Side)
    return {"yellow": yellow, "red": red}


def _judged_moves_to_json(match: Match, verdicts: list[Verdict]) -> list[JudgedMoveSchema]:
    """Return what was judged so far, the first move first."""
    moves = list_moves(match.pk) if verdicts else []
    return [
        {
            "ply": ply,
            "actor": cast("ActorName", actor),
            "text": text,
            "side": side_to_json(verdict.side),
            "before": verdict.before,
            "after": verdict.after,
            "luck": verdict.luck,
            "given_away": verdict.given_away,
            "best": verdict.best,
        }
        for (ply, actor, text, *_more), verdict in zip(moves, verdicts, strict=False)
    ]
