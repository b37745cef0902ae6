"""Template tags that draw the spaces of boards, and rolls."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

EVERYBODYS = ("die", "coin")
"""The kinds of rolls whose pictures say nothing but what was rolled."""

register = template.Library()


@register.simple_tag
def each_space(template_name: str, board: Any) -> SafeString:
    """Return the HTML of the spaces of a drawn board, each by a template.

    The template has ``space``, whether it ``is_end`` of the last move's trail, and whether it ``is_marked``.
    """
    ends = board.trail.ends if board.trail else ()
    language = get_language() or ""
    return format_html_join(
        "",
        "{}",
        (
            (_draw_space(template_name, space, space.name in ends, space.name in board.marks, language),)
            for space in board.spaces
        ),
    )


@register.simple_tag
def small_roll(template_name: str, roll: Any) -> SafeString:
    """Return the HTML of a roll beside what it was for, by a template that has ``roll`` and its ``size``."""
    if roll.kind in EVERYBODYS:
        return _draw_small_roll(template_name, _Face(roll.text, roll.kind), get_language() or "")
    return render_to_string(template_name, {"roll": roll, "size": "small"})


@dataclass(frozen=True, slots=True)
class _Face:
    """The upper side of a die or a coin: all that its picture says."""

    text: str
    kind: str


@lru_cache(maxsize=1024)
def _draw_small_roll(template_name: str, roll: _Face, language: str) -> SafeString:
    return render_to_string(template_name, {"roll": roll, "size": "small"})


@lru_cache(maxsize=8192)
def _draw_space(
    template_name: str,
    space: Hashable,
    is_end: bool,
    is_marked: bool,
    language: str,
) -> SafeString:
    """Return the HTML of a space. There are few looks of each, and many boards have them."""
    return render_to_string(template_name, {"space": space, "is_end": is_end, "is_marked": is_marked})
