"""The names of stages, groups and the places in them, for pages and the API."""

from collections import Counter
from collections.abc import Iterable

from django.utils.translation import gettext as _

from formats.advancement import GroupRank
from formats.grouping import letter_of
from tournaments.models import Group, ProposedRound, Round, Stage
from tournaments.records.stages import is_in_groups, is_of_parts


def name_stage(stage: Stage) -> str:
    """Return what a stage is called by itself: by its format, as the stage that is played in groups, or as a level."""
    if stage.has_leagues:
        return _("Leagues")
    if stage.is_play_offs:
        return _("Play-offs")
    if stage.max_levels is not None:
        return name_level(stage.number)
    if not is_in_groups(stage):
        return _(stage.format_spec.name(stage.chosen_options))
    if stage.is_bracket:
        return _("%(format)s in groups") % {"format": _(stage.format_spec.label)}
    return _("Group stage")


def name_level(number: int) -> str:
    """Return what a level of a competition is called that is played in levels."""
    return _("Level %(number)d") % {"number": number}


def name_stages(stages: Iterable[Stage]) -> dict[int, str]:
    """Return what stages are called beside each other, by their numbers: those of one name are counted."""
    names = {stage.number: name_stage(stage) for stage in stages}
    often = Counter(names.values())
    seen: Counter[str] = Counter()
    for number, name in names.items():
        seen[name] += 1
        if often[name] > 1:
            names[number] = _("%(stage)s %(number)d") % {"stage": name, "number": seen[name]}
    return names


def name_group(group: Group) -> str:
    """Return what a group is called in its stage."""
    if group.stage.has_leagues:
        return _("League %(letter)s") % {"letter": group.letter}
    if group.stage.is_play_offs:
        return _("Play-off %(letter)s") % {"letter": group.letter}
    return _("Group %(letter)s") % {"letter": group.letter}


def name_part(group: Group | None) -> str:
    """Return in which part of its competition a group is; empty where that has no more parts than one."""
    if group is None or not is_of_parts(group.stage):
        return ""
    stage = name_stage(group.stage)
    return f"{stage}, {name_group(group)}" if is_in_groups(group.stage) else stage


def name_round(round_: Round | ProposedRound) -> str:
    """Return what a round is called, with the part of its competition where there are several."""
    name = _("Round %(number)d") % {"number": round_.number}
    part = name_part(round_.group)
    return f"{part}: {name}" if part else name


def name_source(source: GroupRank, *, is_only_group: bool = False) -> str:
    """Return where somebody who will go on comes from."""
    if source.group is None:
        return _("Best in place %(place)d") % {"place": source.rank}
    if is_only_group:
        return _("Place %(place)d") % {"place": source.rank}
    sentences = {
        1: _("Winner of group %(group)s"),
        2: _("Second of group %(group)s"),
        3: _("Third of group %(group)s"),
        4: _("Fourth of group %(group)s"),
    }
    sentence = sentences.get(source.rank) or _("Place %(place)d of group %(group)s")
    return sentence % {"group": letter_of(source.group), "place": source.rank}
