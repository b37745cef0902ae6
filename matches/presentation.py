"""Making the shapes of ``matches.shapes`` out of matches, seeks and positions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from functools import lru_cache
from hashlib import sha256
from typing import cast

from django.contrib.auth.models import AnonymousUser

from matches import shapes
from matches.clock import SECOND, TimeControl
from matches.dice import prove
from matches.errors import refusals_of
from matches.game_shapes import GameShape
from matches.levels import levels_in
from matches.models import Actor, Match, Move, Seek, Status
from matches.selectors.matches import list_events
from matches.selectors.replay import Stage
from players.models import Player
from rules_engine.picture import Figure, Line, Picture, Segment, Space
from rules_engine.protocol import Game, PlacementPlan, State, Step
from rules_engine.registry import get_game
from rules_engine.values import BySide, Outcome, Side
from rules_engine.words import summarise

Viewer = Player | AnonymousUser | None

MOST_STEPS = 2000
MOVE = ("ply", "actor", "text", "played_at", "thinking")


def present_match(match: Match, viewer: Viewer) -> shapes.MatchShape:
    """Return a whole match as a viewer sees it: ``you`` is his side in it."""
    state = match.state
    you = _side_of(match, viewer)
    moves = [cast("shapes.MoveShape", dict(zip(MOVE, event, strict=True))) for event in list_events(match.pk)]
    seed = match.revealed_seed
    return {
        **_present(match, state, you),
        "task": state.task if match.side else "",
        "in_words": list(summarise(state, is_over=match.status == Status.FINISHED)),
        "roll": moves[-1]["text"] if match.side and moves and moves[-1]["actor"] == Actor.CHANCE.value else None,
        "picture": present_picture(state.picture()),
        "legal_moves": list(state.legal_moves()) if match.is_running and match.side == you else [],
        "moves": moves,
        "dice": {"commitment": match.commitment, "seed": seed.hex() if seed else None},
    }


def present_summary(match: Match, viewer: Viewer) -> shapes.MatchSummaryShape:
    """Return a match as a list shows it."""
    return _present(match, match.state, _side_of(match, viewer))


def match_etag(match: Match, viewer: Viewer) -> str:
    """Return a weak entity tag: while it stays the same ``present_match`` gives the same."""
    parts = (
        match.pk,
        match.ply,
        match.status,
        match.extensions,
        match.annulled_at,
        _side_of(match, viewer),
        *map(_present_player, match.players),
    )
    return f'W/"{sha256(repr(parts).encode()).hexdigest()[:32]}"'


def present_move(move: Move) -> shapes.MoveShape:
    """Return one event of a match."""
    return {
        "ply": move.ply,
        "actor": cast("shapes.ActorName", str(move.actor)),
        "text": move.text,
        "played_at": move.played_at,
        "thinking": move.thinking,
    }


def present_position(state: State, ply: int) -> shapes.PositionShape:
    """Return a match's position after its first ``ply`` events."""
    return {
        "ply": ply,
        "position": str(state),
        "in_words": list(summarise(state)),
        "picture": present_picture(state.picture()),
        "stage": state.stage,
        "score": present_numbers(state.score),
    }


def present_steps(match: Match, prefix: str) -> shapes.StepsShape:
    """Return what the side to act may click after ``prefix``, nothing while nobody may act.

    Raises ``UnreadableMove``.
    """
    with refusals_of(match.game):
        steps = match.state.steps(prefix) if match.is_running else ()
    return {"ply": match.ply, "prefix": prefix, "steps": _present_steps(steps)}


def present_step_tree(match: Match) -> shapes.StepTreeShape:
    """Return everything that the side to act may click, prefix by prefix.

    Only the first clicks where there are more than ``MOST_STEPS`` steps in all, nothing while nobody may act.
    """
    state = match.state
    tree: dict[str, tuple[Step, ...]] = {}
    prefixes = [""] if match.is_running else []
    count = 0
    for prefix in prefixes:
        steps = state.steps(prefix)
        if steps:
            tree[prefix] = steps
            prefixes += [step.text for step in steps if not step.final]
            count += len(steps)
        if count > MOST_STEPS:
            tree = {"": tree[""]}
            break
    placing = state.placement_plan() if match.is_running else None
    return {
        "ply": match.ply,
        "steps": {prefix: _present_steps(steps) for prefix, steps in tree.items()},
        "placing": _present_placing(placing) if placing else None,
    }


def present_route(match: Match, text: str) -> shapes.RouteShape:
    """Return one way to play a move in the present position.

    Raises ``UnreadableMove`` or ``RefusedMove``.
    """
    with refusals_of(match.game):
        return cast("shapes.RouteShape", asdict(match.state.route(text)))


def present_dice(match: Match, stages: Iterable[Stage]) -> shapes.DiceProofShape:
    """Return every roll of a match, which all its stages give, with its proof, complete once the match is over."""
    seed = match.revealed_seed
    proofs = prove(seed, match.pk, (stage.played for stage in stages))
    return {
        "match": match.pk,
        "commitment": match.commitment,
        "seed": seed.hex() if seed else None,
        "rolls": [cast("shapes.RollShape", asdict(proof)) for proof in proofs],
    }


def present_game(game: Game) -> GameShape:
    """Return a game that can be played."""
    levels = levels_in(game)
    return {
        "key": game.key,
        "family": game.family,
        "title": game.title,
        "has_computer": bool(levels),
        "levels": [str(level) for level in levels],
        "texts": [{"key": text.key, "title": text.title} for text in game.interchange],
    }


def present_seek(seek: Seek) -> shapes.SeekShape:
    """Return a seek."""
    return {
        "id": seek.pk,
        "creator": _present_player(seek.creator),
        "invited": _present_player(seek.invited) if seek.invited else None,
        "game": seek.game,
        "title": get_game(seek.game).title,
        "colour": cast("shapes.ColourName", str(seek.colour)),
        "time_control": _present_time_control(seek.time_control),
        "is_rated": seek.is_rated,
        "min_rating": seek.min_rating,
        "max_rating": seek.max_rating,
        "admits_computers": seek.admits_computers,
        "status": cast("shapes.SeekStatusName", str(seek.status)),
        "match": seek.match_id,
        "rematch_of": seek.rematch_of_id,
        "created_at": seek.created_at,
    }


def _present(match: Match, state: State, you: Side | None) -> shapes.MatchSummaryShape:
    outcome, points = match.outcome, match.points
    yellow, red = match.banks
    return {
        "id": match.pk,
        "url": match.get_absolute_url(),
        "game": match.game,
        "title": match.rules.title,
        "status": cast("shapes.StatusName", str(match.status)),
        "players": {"yellow": _present_player(match.yellow), "red": _present_player(match.red)},
        "turn": _side_name(match.side),
        "you": _side_name(you),
        "ply": match.ply,
        "stage": state.stage,
        "score": present_numbers(state.score),
        "position": match.position,
        "deadline": match.deadline if match.paused_at is None else None,
        "clocks": {"yellow": {"bank": yellow / SECOND}, "red": {"bank": red / SECOND}},
        "turn_started_at": match.turn_started_at,
        "paused_at": match.paused_at,
        "time_control": _present_time_control(match.time_control),
        "vacation": {"allowed": match.allows_vacation, "limit": match.vacation_limit},
        "outcome": present_outcome(outcome) if outcome else None,
        "match_points": present_numbers(points) if points else None,
        "is_rated": match.is_rated,
        "competition": match.competition,
        "rematch_of": match.rematch_of_id,
        "created_at": match.created_at,
        "finished_at": match.finished_at,
        "annulled_at": match.annulled_at,
    }


def present_outcome(outcome: Outcome) -> shapes.OutcomeShape:
    """Return how a match ended."""
    return {
        "winner": _side_name(outcome.winner),
        "ending": cast("shapes.EndingName", str(outcome.ending)),
        "score": present_numbers(outcome.score),
    }


def _side_of(match: Match, viewer: Viewer) -> Side | None:
    return match.side_of(viewer.pk) if viewer is not None else None


def _side_name(side: Side | str | None) -> shapes.SideName | None:
    return cast("shapes.SideName", str(side)) if side else None


def _present_player(player: Player) -> shapes.PlayerShape:
    return {"username": player.username, "is_computer": player.is_computer, "is_guest": player.is_guest}


def present_numbers(numbers: BySide[int]) -> shapes.NumbersShape:
    """Return a number for each side."""
    return {"yellow": numbers.yellow, "red": numbers.red}


def _present_time_control(control: TimeControl) -> shapes.TimeControlShape:
    return {
        "bank": control.bank // SECOND,
        "increment": control.increment // SECOND,
        "cap": control.cap // SECOND,
    }


def present_picture(picture: Picture) -> shapes.PictureShape:
    """Return what a position looks like."""
    return {
        "columns": picture.columns,
        "rows": picture.rows,
        "spaces": _present_spaces(picture.spaces),
        "lines": _present_lines(picture.lines),
        "figures": present_figures(picture.figures),
        "ball": picture.ball,
        "marks": list(picture.marks),
        "segments": present_segments(picture.segments),
    }


def present_figures(figures: Iterable[Figure]) -> list[shapes.FigureShape]:
    """Return the figures of a picture."""
    return [
        {
            "side": cast("shapes.SideName", str(each.side)),
            "number": each.number,
            "kind": each.kind,
            "space": each.space,
        }
        for each in figures
    ]


def present_segments(segments: Iterable[Segment]) -> list[shapes.SegmentShape]:
    """Return the lines of a picture that were drawn in play."""
    return [
        {"start": each.start, "end": each.end, "side": cast("shapes.SideName", str(each.side))} for each in segments
    ]


def _present_steps(steps: Iterable[Step]) -> list[shapes.StepShape]:
    return [{"text": step.text, "space": step.space, "final": step.final} for step in steps]


def _present_placing(placing: PlacementPlan) -> shapes.PlacingShape:
    return {
        "groups": [_present_steps(steps) for steps in placing.groups],
        "stages": [
            {"task": stage.task, "then": {str(group): number for group, number in stage.then.items()}}
            for stage in placing.stages
        ],
    }


@lru_cache(maxsize=16)
def _present_spaces(spaces: tuple[Space, ...]) -> list[shapes.SpaceShape]:
    return [cast("shapes.SpaceShape", asdict(space)) for space in spaces]


@lru_cache(maxsize=16)
def _present_lines(lines: tuple[Line, ...]) -> list[shapes.LineShape]:
    return [{"points": [list(point) for point in line.points], "kind": line.kind} for line in lines]
