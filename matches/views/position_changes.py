"""Differences between a position and the one before it, for scripts that show the one before."""

from collections.abc import Sequence
from typing import Any

from django.template.loader import render_to_string

from matches.models import Actor
from matches.schemas.values import numbers_to_json
from matches.selectors.replay import Stage
from matches.sentences import move_sentence
from matches.views.board import draw_trail, drawing_to_json, lines_to_json, picture_after, pieces_to_json, trail_to_json
from matches.views.rolls import draw_roll
from rules_engine.description import summarise
from rules_engine.picture import Picture
from rules_engine.protocol import Game, State


def start_to_json(state: State) -> dict[str, Any]:
    """Return the position in which a match starts, complete."""
    return {
        "ply": 0,
        **_standing(state),
        "in_words": list(summarise(state)),
        "drawing": drawing_to_json(state.picture()),
        "next": None,
        "sentence": "",
        "trail": None,
        "roll": None,
    }


def positions_to_json(game: Game, stages: Sequence[Stage], *, from_complete: bool) -> list[dict[str, Any]]:
    """Return the positions after moves without what they have not: each as what differs from the one before it.

    ``from_complete`` says that the first one is complete, for scripts that do not know the one before.
    """
    shown = Shown()
    positions = [
        changed_position_to_json(game, stage, shown, is_complete=from_complete and number == 0)
        for number, stage in enumerate(stages)
    ]
    return [{name: value for name, value in each.items() if value is not None} for each in positions]


class Shown:
    """Pictures of states and their sentences, each made once: most states come after one move and before the next."""

    def __init__(self) -> None:
        # By the object: states that are equal may still look different. As long as they are kept, no other has its id.
        self._states: dict[int, State] = {}
        self._pictures: dict[int, Picture] = {}
        self._words: dict[int, list[str]] = {}

    def picture(self, state: State) -> Picture:
        """Return what the board looks like."""
        if id(state) not in self._pictures:
            self._states[id(state)] = state
            self._pictures[id(state)] = state.picture()
        return self._pictures[id(state)]

    def words(self, state: State) -> list[str]:
        """Return the position in sentences."""
        if id(state) not in self._words:
            self._states[id(state)] = state
            self._words[id(state)] = list(summarise(state))
        return self._words[id(state)]


def changed_position_to_json(game: Game, stage: Stage, shown: Shown, *, is_complete: bool = False) -> dict[str, Any]:
    """Return the position after a move, with its sentence and trail: what differs from the one before the move.

    ``drawing`` is the board with the move as it was played, ``next`` the board as the next move finds it where the move
    has cleared it, else null; ``roll`` the HTML of a roll that was a side's, and not for its move.
    """
    before, now = shown.picture(stage.before), shown.picture(stage.after)
    seen = now if stage.after.score == stage.before.score else picture_after(stage)
    words = shown.words(stage.after)
    is_roll = stage.move.actor == Actor.CHANCE
    return {
        "ply": stage.move.ply + 1,
        **_standing(stage.after),
        "in_words": words if is_complete else changed_words(words, shown.words(stage.before)),
        "drawing": drawing_to_json(seen) if is_complete else changed_drawing(seen, before),
        "next": changed_drawing(now, seen) if now is not seen and now != seen else None,
        "sentence": move_sentence(stage),
        "trail": None if is_roll else trail_to_json(draw_trail(stage.before, stage.move.text, before)),
        "roll": _render_roll(game, stage) if is_roll else None,
    }


def changed_drawing(picture: Picture, before: Picture) -> dict[str, Any]:
    """Return what differs between two drawings; ``kept`` lines of the one before stay, and ``lines`` follow them."""
    kept, old = _kept(before, picture), pieces_to_json(before)
    return {
        **{name: _changed(value, old[name]) for name, value in pieces_to_json(picture).items() if value != old[name]},
        "kept": kept,
        "lines": lines_to_json(picture, picture.segments[kept:]),
        "latest": len(picture.latest),
    }


def changed_words(words: Sequence[str], before: Sequence[str]) -> list[str | None]:
    """Return sentences, ``None`` for each that is the same as the one in its place before."""
    return [None if line in before[at : at + 1] else line for at, line in enumerate(words)]


def _standing(state: State) -> dict[str, Any]:
    return {"stage": state.stage, "score": numbers_to_json(state.score)}


def _kept(before: Picture, after: Picture) -> int:
    """Return how many lines of a picture the next picture begins with: all or none."""
    return len(before.segments) if after.segments[: len(before.segments)] == before.segments else 0


def _changed(value: Any, before: Any) -> Any:
    """Return a value, or those of named values that differ from the ones before."""
    if not isinstance(value, dict):
        return value
    return {name: each for name, each in value.items() if name not in before or each != before[name]}


def _render_roll(game: Game, stage: Stage) -> str | None:
    roll = draw_roll(stage.before, stage.move.text)
    return render_to_string(f"boards/{game.family}/roll.html", {"roll": roll}) if roll.stands_alone else None
