"""Stages of competitions and their groups, in JSON."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, TypedDict, cast

from formats.advancement import AdvanceRule
from formats.grouping import GroupingOptions
from formats.options import Option, options_of, write_options
from formats.protocol import Format
from formats.registry import FORMATS
from tournaments.records.stages import StageGroups
from web.api.openapi import ObjectSchema, OneOf

_TYPES = {bool: "boolean", int: "integer", str: "string"}


def describe_options(spec: Format) -> ObjectSchema:
    """Return what the API's description says of a format's options."""
    members = {each.name: _describe(each) for each in options_of(spec.options)}
    return ObjectSchema(spec.options.__name__, f"What was chosen of a stage with the format `{spec.key}`.", members)


def _describe(known: Option) -> Mapping[str, Any]:
    type_ = _TYPES[known.kind]
    bounds = {"minimum": known.minimum, "maximum": known.maximum}
    described: dict[str, Any] = {"type": [type_, "null"] if known.may_be_empty else type_}
    described |= {name: bound for name, bound in bounds.items() if bound is not None}
    if known.choices:
        described["enum"] = [value for value, _label in known.choices]
    text = known.label[:1].upper() + known.label[1:]
    return {**described, "description": f"{text}. {known.help_text}".rstrip() if known.help_text else f"{text}."}


FormatOptions = Annotated[
    dict[str, bool | int | str | None], OneOf(tuple(describe_options(spec) for spec in FORMATS.values()))
]
"""The options of a stage, by name: all that its format has, with bounds and with what empty values mean."""


SeedingName = Literal["rating", "draw", "hand", "season"]
RoundEndName = Literal["wait", "adjudicate", "forfeit"]
AdvanceSeedingName = Literal["crossed", "snake", "rating", "draw"]
AdvanceBeginName = Literal["at-once", "next-month"]


class GroupingSchema(TypedDict):
    """The way in which groups form: so many, of so many players at most, of about so many in leagues, or one by one."""

    groups: int | None
    size: int | None
    league_size: int | None
    whenever: int | None
    """A group forms whenever so many players are there."""
    last_promoted: int | None
    """The last place of a group of a league that goes up; null elsewhere."""
    last_to_stay: int | None
    """The last place of a group of a league that does not go down; null elsewhere."""


class AdvanceSchema(TypedDict):
    """The rule for going on from a stage to the next one."""

    first: int
    """The number of those of each group who go on."""
    best: int
    """The number of those in the place after these who go on, compared across the groups."""
    above_percent: int | None
    """Everybody above this share of the possible points; null where places count."""
    seeding: AdvanceSeedingName
    """The way in which those who go on are seeded."""
    levels: int | None
    """The most times that the stage is played, always by those who go on; null for only once."""
    begins: AdvanceBeginName
    """The beginning of the next stage: as soon as this one has ended, or not before the next month."""
    play_offs: int | None
    """The places of each group of a league on which play-offs decide, in the next stage; null without any."""


class GroupSchema(TypedDict):
    """A group of a stage."""

    number: int
    """From 1, in its stage."""
    letter: str
    """A to Z, then AA and so on; in leagues 1, 2A, 2B and so on, and 2 if league 2 has no other group."""
    league: int | None
    """From 1, the highest; null where there are none."""
    entrants: int
    started_at: datetime | None
    ended_at: datetime | None


class StageSchema(TypedDict):
    """A part of a competition that is played in one format."""

    number: int
    """From 1."""
    name: str
    """Its name on pages."""
    format: str
    """The key of its format."""
    options: FormatOptions
    """The chosen values of the format's options, by name."""
    tiebreaks: list[str]
    """The numbers that order its table, the first one first."""
    seeding: SeedingName
    """The source of the seeds of a draw."""
    draw_seed: int | None
    """With it and the numbers of the entries anybody can repeat the draw; null while there is none."""
    round_days: int | None
    """The number of days of each round, null where no round waits for another, and where there are none."""
    at_round_end: RoundEndName
    late_entry: bool
    """True if players may enter after the start."""
    grouping: GroupingSchema | None
    """Null where all play in one group."""
    advance: AdvanceSchema | None
    """Null for the last stage."""
    groups: list[GroupSchema]
    """One until groups are drawn, none before a later stage begins."""
    waiting: list[str]
    """The players who wait for a group, the first first: only where one forms whenever enough are there."""


def stage_to_json(held: StageGroups, name: str) -> StageSchema:
    """Return a stage with its groups, under the name it has in its competition."""
    stage, rule, grouping = held.stage, held.stage.advance_rule, held.stage.grouping_options
    return {
        "number": stage.number,
        "name": name,
        "format": stage.format,
        "options": write_options(stage.chosen_options),
        "tiebreaks": stage.tiebreaks,
        "seeding": cast("SeedingName", stage.seeding),
        "draw_seed": stage.draw_seed,
        "round_days": stage.round_days,
        "at_round_end": cast("RoundEndName", stage.at_round_end),
        "late_entry": stage.takes_late_entries,
        "grouping": _grouping_to_json(grouping) if grouping else None,
        "advance": _advance_to_json(rule) if rule else None,
        "groups": [
            {
                "number": group.number,
                "letter": group.letter,
                "league": group.league,
                "entrants": entrants,
                "started_at": group.started_at,
                "ended_at": group.ended_at,
            }
            for group, entrants in zip(held.groups, held.sizes, strict=True)
        ],
        "waiting": [seat.entry.player.username for seat in held.waiting],
    }


def _grouping_to_json(grouping: GroupingOptions) -> GroupingSchema:
    return {
        "groups": grouping.groups,
        "size": grouping.size,
        "league_size": grouping.league_size,
        "whenever": grouping.whenever,
        "last_promoted": None if grouping.league_size is None else grouping.promoted_to,
        "last_to_stay": None if grouping.league_size is None else grouping.stays_to,
    }


def _advance_to_json(rule: AdvanceRule) -> AdvanceSchema:
    return {
        "first": rule.first,
        "best": rule.best,
        "above_percent": rule.above_percent,
        "seeding": cast("AdvanceSeedingName", rule.seeding),
        "levels": rule.levels,
        "begins": cast("AdvanceBeginName", rule.begins),
        "play_offs": rule.play_offs,
    }
