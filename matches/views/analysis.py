"""The page of a match's analysis: the curve, what decided the match, and how far it has come."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import number_format
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from computers.analysis import read_verdict
from database.clock import current_moment
from matches.models import AnalysisStatus, Match, MatchAnalysis, Status
from matches.selectors.analyses import find_analysis
from matches.selectors.matches import get_match
from matches.selectors.replay import replay
from matches.services.analyses import request_analysis
from matches.views.judged_moves import (
    MAX_LISTED,
    JudgedMove,
    in_points,
    judge_moves,
    list_mistakes,
    list_rolls,
    luck_sentence,
    mistakes_sentence,
)
from players.current_player import current_player
from players.models import Player
from rules_engine.analysis import sum_up
from rules_engine.registry import find_engine
from rules_engine.values import ChanceDevice, Side

HEIGHT = 100
"""The height of what is stretched over the picture; its width is the number of moves."""

MIDDLE = HEIGHT // 2

PERCENTS = (75, 50, 25)


@dataclass(frozen=True, slots=True)
class Level:
    """A line across the picture with its ``y`` from the top, and the chance of the side that is ahead there."""

    percent: int
    y: int


LEVELS = tuple(Level(max(percent, 100 - percent), 100 - percent) for percent in PERCENTS)


@dataclass(frozen=True, slots=True)
class Place:
    """A point of the curve: ``x`` from the left and ``y`` from the top, in per cent."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Strip:
    """The part of the picture over one move, in per cent from the left."""

    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Curve:
    """Yellow's chance from the bottom (none) to the top (certain): above the middle Yellow is ahead, below it Red.

    ``line`` and ``area``, what is between the line and the middle, are SVG paths over a width of ``moves`` and
    ``HEIGHT``. ``places`` and ``strips`` have one for each move judged so far.
    """

    moves: int
    judged: int
    line: str
    area: str
    places: tuple[Place, ...]
    strips: tuple[Strip, ...]
    height: int = HEIGHT
    middle: int = MIDDLE
    lines: tuple[Level, ...] = LEVELS


def draw_curve(chances: Sequence[float], *, moves: int) -> Curve:
    """Return the curve of the chance before the first move and after each one that was judged, of so many moves.

    Raises ``ValueError`` without any chance.
    """
    if not chances:
        raise ValueError("a curve begins with a chance")
    heights = [round(HEIGHT * (1 - chance), 2) for chance in chances]
    points = [f"{number} {height:g}" for number, height in enumerate(heights)]
    line = f"M{'L'.join(points)}"
    width = max(1, moves)
    places = tuple(Place(round(100 * number / width, 3), height) for number, height in enumerate(heights[1:], start=1))
    return Curve(
        moves=width,
        judged=len(places),
        line=line,
        area=f"{line}V{MIDDLE}H0Z",
        places=places,
        strips=tuple(
            Strip(round(100 * (number - 0.5) / width, 3), round(100 / width, 3)) for number in range(1, len(chances))
        ),
    )


MAX_MARKS = 5

SCORE_WIDTH = 11.0
"""The width of a score, in per cent of a narrow curve."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def analysis_page(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return the analysis of a match. Its players request it by posting the form."""
    if request.method == "POST":
        return _want(request, match_id)
    match = get_match(match_id)
    analysis = find_analysis(match)
    return render(request, "matches/analysis.html", _context(match, analysis, current_player(request)))


def _want(request: HttpRequest, match_id: int) -> HttpResponse:
    url = reverse("match-analysis", args=[match_id])
    player = current_player(request)
    if player is None:
        return redirect_to_login(url)
    request_analysis(match_id=match_id, player=player, now=current_moment())
    return redirect(url)


def _context(match: Match, analysis: MatchAnalysis | None, player: Player | None) -> dict[str, Any]:
    engine = find_engine(match.rules)
    is_over = match.status == Status.FINISHED
    is_dated = analysis is not None and engine is not None and analysis.engine != engine.version
    is_open = analysis is None or analysis.status == AnalysisStatus.FAILED or is_dated
    you = match.side_of(player.pk if player else None)
    return {
        "match": match,
        "analysis": analysis,
        "is_over": is_over,
        "is_judged_at_all": engine is not None,
        "may_want": is_over and is_open and engine is not None and you is not None,
        "is_dated": is_dated,
        "going_on": analysis is not None and not analysis.is_finished,
        "roll_template": f"boards/{match.rules.family}/roll.html",
        "has_dice": match.rules.chance_device is ChanceDevice.DICE,
        "is_whole": analysis is not None and analysis.status == AnalysisStatus.DONE,
        "score": match.outcome.score if match.outcome else None,
        "most_listed": MAX_LISTED,
        **(_judged(match, analysis) if analysis and analysis.judged else {}),
        "page_data": {"analysis": reverse("api-analysis", args=[match.pk])},
    }


def _judged(match: Match, analysis: MatchAnalysis) -> dict[str, Any]:
    verdicts = [read_verdict(data) for data in analysis.verdicts]
    moves = judge_moves(match, replay(match, match.moves.all()), verdicts)
    sums = sum_up(verdicts)
    rolls = list_rolls(moves)
    curve = draw_curve([verdicts[0].before, *(verdict.after for verdict in verdicts)], moves=match.ply)
    return {
        "curve": curve,
        "points": list(zip(moves, curve.places, curve.strips, strict=True)),
        "goals": list_goals(moves, curve),
        "marks": _marks(moves, curve, plies=match.ply),
        "last": moves[-1],
        "nodes": number_format(analysis.nodes, force_grouping=True),
        "rolls": rolls,
        "mistakes": list_mistakes(moves),
        "luck_in_words": luck_sentence(match, sums),
        "skill_in_words": mistakes_sentence(match, sums),
        "sums": [
            {
                "side": side.value,
                "player": match.players[side],
                "luck": in_points(sums.luck[side]),
                "given_away": in_points(sums.given_away[side]),
                "grave": sum(move.is_grave and move.side == side for move in moves),
            }
            for side in Side
        ],
    }


def list_goals(moves: list[JudgedMove], curve: Curve) -> list[tuple[JudgedMove, Place, bool]]:
    """Return the moves that changed the score, and whether there is room for each score on a narrow curve."""
    goals, room_from = [], 0.0
    for move, place in zip(moves, curve.places, strict=True):
        if move.score:
            has_room = place.x >= room_from
            goals.append((move, place, has_room))
            room_from = place.x + SCORE_WIDTH if has_room else room_from
    return goals


def _marks(moves: list[JudgedMove], curve: Curve, *, plies: int) -> list[tuple[JudgedMove, Place]]:
    """Return some moves at even distances as labels below the curve."""
    numbers = {plies * (2 * number + 1) // (2 * MAX_MARKS) for number in range(MAX_MARKS)}
    return [(moves[number], curve.places[number]) for number in sorted(numbers) if number < len(moves)]
