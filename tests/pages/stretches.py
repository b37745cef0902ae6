"""Stretches of positions, completed as the page's script completes them."""

from typing import Any

from django.test import Client
from django.urls import reverse

from matches.models import Match
from matches.views.positions import STRETCH_LENGTH, positions_version


def stretch_url(match: Match, first: int, last: int) -> str:
    return reverse("match-positions", args=[match.pk, positions_version(match), first, last])


def look_back(client: Client, match: Match, ply: int) -> dict[str, Any]:
    """Return the position after so many moves, from the stretch that has it."""
    first = ply - ply % STRETCH_LENGTH
    last = min(first + STRETCH_LENGTH - 1, match.ply)
    return complete_all(client.get(stretch_url(match, first, last)).json()["positions"])[ply - first]


def complete_all(positions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return whole positions, of which all but the first come as what differs from the one before."""
    whole: list[dict[str, Any]] = []
    for each in positions:
        before = whole[-1] if whole else each
        whole.append(complete_position(each, before.get("next") or before["drawing"], before["in_words"]))
    return whole


def complete_position(changed: dict[str, Any], drawing: dict[str, Any], words: list[str]) -> dict[str, Any]:
    seen = complete_drawing(drawing, changed["drawing"])
    after = complete_drawing(seen, changed["next"]) if changed.get("next") else None
    in_words = [words[at] if new is None else new for at, new in enumerate(changed["in_words"])]
    return {"trail": None, "roll": None, **changed, "drawing": seen, "next": after, "in_words": in_words}


def complete_drawing(drawing: dict[str, Any], changed: dict[str, Any]) -> dict[str, Any]:
    if "kept" not in changed:
        return changed
    others = {name: value for name, value in changed.items() if name != "kept"}
    by_name = {name: {**drawing[name], **changed.get(name, {})} for name in ("figures", "looks", "labels")}
    return {**drawing, **others, **by_name, "lines": drawing["lines"][: changed["kept"]] + changed["lines"]}
