"""The context of the match page."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.clock import MAX_DRAWN
from matches.models import Actor, Match, Status
from matches.schemas.match import Viewer, match_to_json
from matches.selectors.replay import Stage, replay
from matches.sentences import (
    board_label,
    board_label_pattern,
    ending_sentence,
    format_time_control,
    format_time_left,
    paused_sentence,
    result_text,
    turn_headline,
    vacation_text,
    waiting_pattern,
    waiting_sentence,
)
from matches.views.board import draw_board, draw_trail, drawing_to_json, picture_after, trail_to_json
from matches.views.rematches import rematch_of
from matches.views.rolls import waiting_rolls
from matches.views.timeline import list_rows
from matches.views.updates import may_move, standing_to_json, steps_to_json
from players.forms import SignUpForm
from players.models import Player
from rules_engine.description import summarise
from rules_engine.values import BySide, Side

API = "/api/v1/matches"


def match_context(match: Match, viewer: Viewer, *, shown: int | None = None) -> dict[str, Any]:
    """Return the context of the whole page, showing the position after ``shown`` moves (``None``: the last)."""
    data = match_to_json(match, viewer)
    shown = match.ply if shown is None else min(shown, match.ply)
    stages = list(replay(match, match.moves.all()))
    you = Side(data["you"]) if data["you"] else None
    position = stages[shown - 1].after if shown else match.rules.start()
    last = _last_action(stages[:shown])
    reviewing = shown < match.ply
    return {
        **_panels(match, stages, viewer, shown),
        "match": match,
        "turn": match.side,
        "score": position.score,
        "stage": position.stage,
        "task": _task(match, you, data["task"]),
        "headline": " · ".join(
            [turn_headline(match, you), match.state.stage] if match.side else [turn_headline(match, you)]
        ),
        "clocks": _clocks(match),
        "your_turn": may_move(match, you) and not reviewing,
        "legal_moves": data["legal_moves"],
        "choices": [step for step in match.state.steps() if not step.space]
        if may_move(match, you) and not reviewing
        else [],
        "reviewing": reviewing,
        "board_template": f"boards/{match.rules.family}.html",
        "board": draw_board(
            picture_after(stages[shown - 1]) if reviewing and shown else position.picture(),
            flipped=you is Side.RED,
            trail=draw_trail(last.before, last.move.text) if last else None,
            summary=board_label(position),
        ),
        "in_words": summarise(position) if reviewing else data["in_words"],
        "page_data": {
            "match": {
                **standing_to_json(match),
                "id": match.pk,
                "you": data["you"],
                "players": data["players"],
                "time_control": data["time_control"],
                "in_words": data["in_words"],
            },
            "drawing": drawing_to_json(match.state.picture()),
            "in_words": list(summarise(match.state)),
            "trail": trail_to_json(draw_trail(now.before, now.move.text)) if (now := _last_action(stages)) else None,
            **steps_to_json(match, you),
            "shown": shown,
            "now": timezone.now(),
            "urls": _urls(match),
            "texts": _texts(),
        },
    }


def panels_context(match: Match, viewer: Viewer, *, shown: int) -> dict[str, Any]:
    """Return the context of the panels beside the board alone."""
    return {**_panels(match, list(replay(match, match.moves.all())), viewer, shown), "match": match}


def _panels(match: Match, stages: list[Stage], viewer: Viewer, shown: int) -> dict[str, Any]:
    outcome = match.outcome
    you = match.side_of(viewer.pk if viewer else None)
    is_guest = isinstance(viewer, Player) and viewer.is_guest
    return {
        "keep_form": SignUpForm(auto_id="keep_%s") if outcome and you and is_guest else None,
        "you": you or "",
        "shown_ply": shown,
        "rows": list_rows(stages),
        "rolls": waiting_rolls(stages),
        "roll_template": f"boards/{match.rules.family}/roll.html",
        "moves_template": f"boards/{match.rules.family}/moves.html",
        "rows_template": f"boards/{match.rules.family}/rows.html",
        "game_title": match.rules.title,
        "time_control": format_time_control(match.time_control),
        "max_drawn": MAX_DRAWN,
        "vacation": vacation_text(match),
        "record_url": f"{API}/{match.pk}/record/",
        "rematch": rematch_of(match, you),
        "can_resign": bool(you) and match.status == Status.PLAYING,
        "outcome": outcome
        and {
            "winner": outcome.winner,
            "score": outcome.score,
            "headline": result_text(match, outcome, you),
            "ending": ending_sentence(outcome.ending),
        },
    }


def _task(match: Match, you: Side | None, task: str) -> str:
    """Return the sentence about what the viewer can do now."""
    if match.paused_at is not None:
        return paused_sentence()
    return task if may_move(match, you) else waiting_sentence(match)


def _last_action(stages: list[Stage]) -> Stage | None:
    return next((stage for stage in reversed(stages) if stage.move.actor != Actor.CHANCE), None)


def _clocks(match: Match) -> BySide[str]:
    banks = match.banks
    if match.side:
        banks = banks.with_side(Side(match.side), match.clock.left(match.paused_at or timezone.now()))
    return banks.map(format_time_left)


def _urls(match: Match) -> dict[str, str]:
    return {
        "match": f"{API}/{match.pk}/",
        "moves": f"{API}/{match.pk}/moves/",
        "panels": reverse("match-panels", args=[match.pk]),
        "updates": reverse("match-updates", args=[match.pk]),
        "ahead": reverse("match-ahead", args=[match.pk]),
        "positions": reverse("match-look-back", args=[match.pk, 0]),
    }


def _texts() -> dict[str, Any]:
    """Return the texts of the page's scripts, which fill in ``{names}``."""
    return {
        "yours": _("Your turn"),
        "theirs": _("{name} to move"),
        "over": _("The match is over"),
        "follows": waiting_pattern(),
        "paused": paused_sentence(),
        "confirm": _("Play this move, or choose another space."),
        "nowhere": _("No move goes there."),
        "play": _("Play {move}"),
        "board": board_label_pattern(),
        "yellow": _("Yellow"),
        "red": _("Red"),
        "review": _("After move {ply} of {total}"),
        "copied": _("Copied"),
        "sending": _("Sending your move …"),
        "stored": _("Your move has been played. The page will show it when it can reach the server again."),
        "offline": _("We cannot reach the server. Try again."),
        "units": {"d": _("d"), "h": _("h"), "min": _("min")},
    }
