"""Checks that the stages of a competition fit: who goes on, in how many groups, and whether enough come to each."""

from collections import defaultdict
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from formats.advancement import AT_ONCE, MAX_LEVELS, AdvanceRule
from formats.grouping import MIN_SIZE, GroupingOptions
from formats.play_offs import MAX_SIZE, most_play_offs
from formats.protocol import Flow, Format, Order
from formats.scoring.tiebreaks import TEAM_TIEBREAKS
from formats.stage_plans import ImpossibleStage, PlanFault, find_impossible_stage
from formats.team_meetings import TEAM_ORDER
from tournaments.models import Seeding, Stage
from tournaments.rounds.errors import InvalidStages

OF_MEETINGS = ("wins", "goal-difference", "head-to-head")
"""Further tie-breaks that meetings of teams have."""

TEAM_SEEDS = [(each.value, each.label) for each in (Seeding.DRAW, Seeding.HAND)]
"""The ways in which teams are seeded in a bracket, as choices with their names: teams have no rating."""

MAX_STAGES = 8
"""The most stages that a competition can have."""

Faults = dict[str, list[str]]


def option_name(number: int, name: str) -> str:
    """Return what an option of a stage is called among all options of a competition: in the first one by its name."""
    return name if number == 1 else f"stage-{number}-{name}"


def check_stages(stages: Sequence[Stage], *, max_entrants: int | None, boards: int | None = None) -> None:
    """Raise ``InvalidStages`` for stages that do not go together, with sentences by ``option_name``."""
    if faults := find_faults(stages, max_entrants=max_entrants, boards=boards):
        raise InvalidStages(next(iter(faults.values()))[0], fields=faults)


def find_faults(stages: Sequence[Stage], *, max_entrants: int | None, boards: int | None = None) -> Faults:
    """Return why stages do not go together, as sentences by ``option_name``; the first is the first stage.

    With ``boards`` they are played by teams.
    """
    faults: Faults = defaultdict(list)
    if len(stages) > MAX_STAGES:
        faults["stages"].append(_("A competition has at most %(most)d stages.") % {"most": MAX_STAGES})
    for number, stage in enumerate(stages, start=1):
        is_after_leagues = number > 1 and stages[number - 2].play_offs is not None
        found = _faults_of_play_offs(stage) if is_after_leagues else _faults_of(stage, number, len(stages))
        for name, sentence in found:
            faults[option_name(number, name)].append(sentence)
    for number, stage in enumerate(stages, start=1):
        for name, sentence in _faults_of_teams(stage, number, len(stages), boards):
            faults[option_name(number, name)].append(sentence)
    if not faults and (impossible := find_impossible_stage(stages, max_entrants)) is not None:
        name, sentence = _explain(impossible, stages)
        faults[name].append(sentence)
    return dict(faults)


def _faults_of(stage: Stage, number: int, last: int) -> list[tuple[str, str]]:
    """Return what is wrong with a stage by itself and where it stands, as (name, sentence)."""
    spec, grouping, rule = stage.format_spec, stage.grouping_options, stage.advance_rule
    if stage.is_endless:
        return _faults_of_endless(stage, last)
    faults = []
    several = grouping is not None and grouping.groups != 1
    in_leagues = grouping is not None and grouping.league_size is not None
    if several and spec.flow is Flow.TIES:
        faults.append(
            (
                "grouping",
                _("%(format)s: there is one group, in which everybody can meet everybody.") % {"format": _(spec.label)},
            )
        )
    elif grouping is not None and grouping.whenever is not None:
        faults += _faults_of_gathering(stage, grouping.whenever, last)
    elif in_leagues and last > 1 and (stage.play_offs is None or (number, last) != (1, 2)):
        faults.append(("grouping", _("Leagues are the only stage of a season, but for play-offs between them.")))
    elif several and number == last and not in_leagues and stage.max_levels is None:
        faults.append(("grouping", _("The last stage must have one group, whose winner wins the competition.")))
    elif grouping is not None and grouping.size is not None:
        faults += _faults_of_size(spec, grouping.size)
    if number < last and rule is None:
        faults.append(("advance", _("Choose who goes on to stage %(number)d.") % {"number": number + 1}))
    elif number == last and rule is not None and rule.levels is None:
        faults.append(("advance", _("Nobody goes on from the last stage.")))
    elif rule is not None and rule.play_offs is not None:
        faults += [("advance", sentence) for sentence in _faults_of_places(rule.play_offs, grouping)]
    elif rule is not None:
        faults += [("advance", sentence) for sentence in _faults_of_rule(rule, spec, grouping)]
        if rule.levels is not None:
            faults += [("advance", sentence) for sentence in _faults_of_levels(rule, grouping, number, last)]
    return faults


def _faults_of_places(places: int, grouping: GroupingOptions | None) -> list[str]:
    """Return why play-offs cannot decide on so many places of each group."""
    if grouping is None or grouping.league_size is None:
        return [_("Only leagues have play-offs.")]
    most = most_play_offs(grouping.promoted_to, grouping.stays_to)
    if places <= most:
        return []
    return [
        _(
            "Play-offs of %(places)d places would overlap: place %(up)d is the last that goes up, and place %(stay)d "
            "the last that stays. At most %(most)d."
        )
        % {"places": places, "up": grouping.promoted_to, "stay": grouping.stays_to, "most": most}
    ]


def _faults_of_play_offs(stage: Stage) -> list[tuple[str, str]]:
    """Return why a stage cannot be the play-offs of leagues, as (name, sentence)."""
    grouping = stage.grouping_options
    if stage.is_bracket and stage.format_spec.min_entrants <= MIN_SIZE and grouping and grouping.size == MAX_SIZE:
        return [] if stage.advance is None else [("advance", _("Nobody goes on from the last stage."))]
    return [("format", _("Play-offs are a knock-out in groups of at most %(most)d players.") % {"most": MAX_SIZE})]


def _faults_of_teams(stage: Stage, number: int, last: int, boards: int | None) -> list[tuple[str, str]]:
    """Return why teams could not play a stage, or why only teams could, as (name, sentence)."""
    if boards is None:
        of_teams = [key for key in stage.tiebreaks if key in TEAM_TIEBREAKS]
        return [
            ("tiebreaks", _("Only competitions of teams can use the tie-break %(tiebreak)s.") % {"tiebreak": key})
            for key in of_teams
        ]
    faults = []
    if not stage.abilities.teams or last > 1:
        faults.append(("format", _("Teams can play only a round robin or a knock-out, with no other stage.")))
    if stage.abilities.teams and stage.is_bracket:
        faults += _faults_of_team_ties(stage)
    if stage.grouping is not None:
        faults.append(("grouping", _("Teams play in one group.")))
    if stage.round_days is None:
        faults.append(("round_days", _("Teams play round by round: choose the days for each round.")))
    if stage.late_entry:
        faults.append(("late_entry", _("No team can join once rounds have begun.")))
    if unfit := [key for key in stage.tiebreaks if key not in TEAM_ORDER and key not in OF_MEETINGS]:
        faults.append(
            (
                "tiebreaks",
                _("Competitions of teams cannot use these tie-breaks: %(tiebreaks)s.")
                % {"tiebreaks": ", ".join(unfit)},
            )
        )
    return faults


def _faults_of_team_ties(stage: Stage) -> list[tuple[str, str]]:
    """Return why teams could not play the ties of a bracket, as (name, sentence)."""
    faults = []
    if stage.chosen_options.replays:
        faults.append(("replays", _("Ties of teams are not replayed: if a tie is level, the higher seed goes on.")))
    if stage.seeding not in dict(TEAM_SEEDS):
        faults.append(("seeding", _("Teams have no rating: choose seeds by draw or by hand.")))
    return faults


def _faults_of_endless(stage: Stage, last: int) -> list[tuple[str, str]]:
    """Return what is wrong with a stage that has no end: it can only be the one group of the one stage."""
    faults = []
    if last > 1:
        faults.append(("format", _("A ladder never ends, so it cannot be one of several stages.")))
    if stage.grouping is not None:
        faults.append(("grouping", _("A ladder has one group.")))
    if last == 1 and stage.advance is not None:
        faults.append(("advance", _("Nobody goes on from a ladder.")))
    return faults


def _faults_of_gathering(stage: Stage, size: int, last: int) -> list[tuple[str, str]]:
    """Return what is wrong with a stage whose groups form as soon as so many players are there."""
    faults = [("grouping", sentence) for _name, sentence in _faults_of_size(stage.format_spec, size)]
    if last > 1:
        faults.append(("grouping", _("If groups form as players join, the competition cannot have other stages.")))
    if stage.abilities.pairs_by_results:
        faults.append(
            ("grouping", _("%(format)s: groups cannot form as players join.") % {"format": _(stage.format_spec.label)})
        )
    return faults


def _faults_of_levels(rule: AdvanceRule, grouping: GroupingOptions | None, number: int, last: int) -> list[str]:
    """Return why a stage could not be played in levels."""
    if number < last:
        return [_("Only the last stage can be played in levels.")]
    if grouping is None or grouping.groups is not None:
        return [_("Levels need a group size. Enter the number of players in each group.")]
    if rule.begins != AT_ONCE and grouping.whenever is not None:
        return [_("Groups that form as players join always start at once.")]
    if rule.best:
        return [_("With levels, the best in the next place cannot go on.")]
    if grouping.size is not None and rule.first >= MIN_SIZE and rule.levels == MAX_LEVELS:
        return [
            _(
                "If two or more players go on from each group, the competition never ends. Limit the number of levels, "
                "or let only one player go on."
            )
        ]
    size = grouping.size or grouping.whenever or 0
    return [_("Not all players of a group can go on to the next level.")] * (rule.first >= size)


def _faults_of_size(spec: Format, size: int) -> list[tuple[str, str]]:
    if size < spec.min_entrants:
        return [
            (
                "grouping",
                _("%(format)s needs at least %(least)d players in a group.")
                % {"format": _(spec.label), "least": spec.min_entrants},
            )
        ]
    if spec.max_entrants is not None and size > spec.max_entrants:
        return [
            (
                "grouping",
                _("%(format)s takes at most %(most)d players in a group.")
                % {"format": _(spec.label), "most": spec.max_entrants},
            )
        ]
    return []


def _faults_of_rule(rule: AdvanceRule, spec: Format, grouping: GroupingOptions | None) -> list[str]:
    """Return why nobody could tell who goes on from groups like these."""
    if rule.above_percent is not None:
        return [
            _("%(format)s: enter how many go on, because places do not depend on points.") % {"format": _(spec.label)}
        ] * (spec.order is Order.BRACKET)
    if rule.best and grouping is None:
        return [_("There is only one group. Let more of its players go on, instead of the best in the next place.")]
    faults = []
    if grouping is not None and grouping.groups is not None and rule.best > grouping.groups:
        faults.append(
            _("There are %(number)d groups, so at most that many can go on as the best in the next place.")
            % {"number": grouping.groups}
        )
    size = None if grouping is None else grouping.size or grouping.whenever
    if size is not None and rule.first + bool(rule.best) > size:
        faults.append(_("More players would go on than the %(number)d in a group.") % {"number": size})
    return faults


def _explain(impossible: ImpossibleStage, stages: Sequence[Stage]) -> tuple[str, str]:
    """Return the option that makes a stage impossible, and why it does."""
    number, sizes, entrants = impossible.number, impossible.sizes, impossible.entrants
    spec, grouping = stages[number - 1].format_spec, stages[number - 1].grouping_options
    who = _("With at most %(count)d players") % {"count": entrants}
    if number > 1:
        who = ngettext(
            "At most one goes on to stage %(stage)d", "At most %(count)d go on to stage %(stage)d", entrants
        ) % {"count": entrants, "stage": number}
    if impossible.fault is PlanFault.TOO_FEW_FOR_GROUPS:
        sentence = _("%(who)s: too few for these groups, which need 2 players each.")
        return option_name(number, "grouping"), sentence % {"who": who}
    if impossible.fault is PlanFault.GROUP_TOO_LARGE:
        size, needs = sizes[0], _("%(format)s takes at most %(number)d")
        limit = spec.max_entrants
    else:
        size, needs = sizes[-1], _("%(format)s needs at least %(number)d")
        limit = spec.min_entrants
    given = {"who": who, "size": size, "needs": needs % {"format": _(spec.label), "number": limit}}
    if grouping is not None:
        return option_name(number, "grouping"), _("%(who)s, a group has %(size)d: %(needs)s.") % given
    if number > 1:
        return option_name(number - 1, "advance"), _("%(who)s: %(needs)s players.") % given
    return "max_entrants", _("%(needs)s players.") % given
