"""The page with the proof of a match's dice."""

import math
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.dice import commit
from matches.schemas.dice import DiceProofSchema, dice_to_json
from matches.selectors.matches import get_match
from matches.selectors.replay import Stage, replay
from matches.views.rolls import DrawnRoll, draw_roll


@never_cache
@require_safe
def dice_proof(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return every roll with its message and digest, checked here and again by the reader's browser."""
    match = get_match(match_id)
    stages = list(replay(match, match.moves.all()))
    proof = dice_to_json(match, stages)
    rolls = [
        {**roll, "stage": stages[roll["ply"]].before.stage, "outcomes": _outcomes(stages[roll["ply"]])}
        for roll in proof["rolls"]
    ]
    drawn = [_draw(stages[roll["ply"]]) for roll in proof["rolls"]]
    context: dict[str, Any] = {
        "match": match,
        "device": match.rules.chance_device,
        "proof": proof,
        "rolls": [{**roll, "drawn": each} for roll, each in zip(rolls, drawn, strict=True)],
        "roll_template": f"boards/{match.rules.family}/roll.html",
        "all_hold": _is_sealed(proof) and all(roll["holds"] for roll in rolls),
        "page_data": {
            **proof,
            "seeds": _seeds(proof),
            "rolls": rolls,
            "moves": [{"actor": stage.move.actor, "text": stage.move.text} for stage in stages],
        },
    }
    return render(request, "matches/dice.html", context)


def _seeds(proof: DiceProofSchema) -> list[dict[str, Any]]:
    """Return the seeds that are shown, in order, each for the rolls before a number; the last one for all others."""
    last = {"rolls": None, "commitment": proof["commitment"], "seed": proof["seed"]}
    return [*map(dict, proof["spent_seeds"]), *([last] if proof["seed"] else [])]


def _is_sealed(proof: DiceProofSchema) -> bool:
    """Return whether the seeds are known and are those that were committed to."""
    seeds = _seeds(proof)
    return proof["seed"] is not None and all(
        commit(bytes.fromhex(each["seed"])) == each["commitment"] for each in seeds
    )


def _draw(stage: Stage) -> DrawnRoll | None:
    """Return a roll for its template; a move that was drawn is shown as its text."""
    return None if stage.move.is_drawn else draw_roll(stage.before, stage.move.text)


def _outcomes(stage: Stage) -> list[tuple[str, int]]:
    """Return the possible rolls, each with its share of the common denominator."""
    rolls = stage.played.rolls
    denominator = math.lcm(*(roll.probability.denominator for roll in rolls))
    return [(roll.text, int(roll.probability * denominator)) for roll in rolls]
