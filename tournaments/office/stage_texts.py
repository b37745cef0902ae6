"""Texts that say how the groups of stages form, who goes on from them and how."""

from django.contrib.humanize.templatetags.humanize import apnumber, ordinal
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from formats.advancement import BY_DRAW, BY_RATING, MAX_LEVELS, NEXT_MONTH, SNAKE, AdvanceRule
from formats.grouping import GroupingOptions
from formats.scoring.reasons import DRAW
from tournaments.models import Stage
from tournaments.models.carry_overs import PROMOTION

TIEBREAK_NAMES = {
    "points": gettext_lazy("points"),
    "head-to-head": gettext_lazy("points in matches between the tied"),
    "wins": gettext_lazy("wins"),
    "goal-difference": gettext_lazy("goal difference"),
    "goals": gettext_lazy("goals"),
    "sonneborn-berger": gettext_lazy("Sonneborn-Berger"),
    "buchholz": gettext_lazy("Buchholz"),
    "median-buchholz": gettext_lazy("median Buchholz"),
    "points-per-match": gettext_lazy("points per match"),
    "matches-as-red": gettext_lazy("matches as Red"),
    "rating": gettext_lazy("rating"),
    DRAW: gettext_lazy("drawing lots"),
}
"""The names of tie-breaks by their keys, as they are written in a sentence."""


TEAM_TIEBREAK_NAMES = {"match-points": gettext_lazy("match points"), "boards": gettext_lazy("boards won")}
"""The same of what decides the tables of teams alone."""


def tiebreak_name(key: str) -> str:
    """Return what a tie-break is called in a sentence. Raises ``KeyError``."""
    return str(TEAM_TIEBREAK_NAMES.get(key) or TIEBREAK_NAMES[key])


def grouping_text(stage: Stage) -> str:
    """Return how many groups a stage has, or how large they are."""
    grouping = stage.grouping_options
    if grouping is None:
        return _("one group")
    if grouping.league_size is not None:
        return _("leagues with groups of about %(size)d") % {"size": grouping.league_size}
    if grouping.whenever is not None:
        return _("groups of %(size)d") % {"size": grouping.whenever}
    if grouping.size is not None:
        return _("groups of up to %(size)d") % {"size": grouping.size}
    return ngettext("%d group", "%d groups", grouping.groups or 0) % grouping.groups


def advance_text(stage: Stage) -> str:
    """Return who goes on from a stage, and how they are seeded."""
    rule = stage.advance_rule
    if rule is None:
        return _("Nobody: it is the last stage.")
    if rule.play_offs is not None:
        return " ".join(list_play_offs(stage))
    if stage.max_levels is not None:
        return f"{capfirst(_who_goes_on(rule, stage, _('the next level')))}.{_begin_text(rule)}"
    return (
        f"{capfirst(_who_goes_on(rule, stage, _('the next stage')))}, {_seeding_text(rule, stage)}.{_begin_text(rule)}"
    )


def list_levels(stage: Stage) -> list[str]:
    """Return how the groups of a competition of one stage form, and how it goes up in levels."""
    facts = []
    grouping, rule = stage.grouping_options, stage.advance_rule
    if grouping is not None and grouping.whenever is not None:
        facts.append(_("A group starts as soon as %(size)d players are waiting for it.") % {"size": grouping.whenever})
        if stage.late_entry:
            facts.append(_("You can join at any time, and again as soon as your last group has started."))
    elif grouping is not None and grouping.league_size is not None:
        facts.append(
            _("You play in leagues, with about %(size)d players in each group.") % {"size": grouping.league_size}
        )
        facts.append(_("League 1 is one group. Each league below has up to twice as many groups."))
        facts.append(_("The first of League 1 wins the competition."))
        facts += list_moves(stage)
    elif grouping is not None and grouping.size is not None:
        facts.append(_("You play in groups of up to %(size)d players.") % {"size": grouping.size})
    if rule is not None and rule.levels is not None:
        facts.append(f"{capfirst(_who_goes_on(rule, stage, _('the next level, which is played like this one')))}.")
        if not stage.gathers and (rule.first, rule.best, rule.levels) == (1, 0, MAX_LEVELS):
            facts.append(_("This continues until one player is left."))
        if rule.begins == NEXT_MONTH:
            facts.append(
                _(
                    "The next level begins in the next month, on the day of the month of the start, or later if the "
                    "previous level is still running."
                )
            )
        if rule.levels < MAX_LEVELS:
            facts.append(_("There are at most %(levels)d levels.") % {"levels": rule.levels})
        if stage.gathers:
            facts.append(_("When entry is closed and all groups are over, the best player of the highest level wins."))
    return facts


def list_moves(stage: Stage) -> list[str]:
    """Return who goes up and down a league for the next season, and who plays off; nothing where there are no leagues.

    In a series that does not move players, nobody goes up or down.
    """
    series = None if stage.competition_id is None else stage.competition.series
    grouping = stage.grouping_options
    if grouping is None or grouping.league_size is None:
        return []
    if series is not None and series.carry_over != PROMOTION:
        # All but what is played for.
        return list_play_offs(stage)[:-1]
    return [_move_sentence(grouping), *list_play_offs(stage)]


def list_play_offs(stage: Stage) -> list[str]:
    """Return who plays off between the leagues of a stage, and for what, a sentence each; nothing where nobody does."""
    grouping, places = stage.grouping_options, stage.play_offs
    if grouping is None or places is None:
        return []
    up, stay = grouping.promoted_to, grouping.stays_to
    if places == 1:
        who = _(
            "Play-offs follow: place %(stay)d of each group defends its league against place %(next)d of the groups "
            "below it."
        )
    else:
        who = _(
            "Play-offs follow: places %(first)d to %(stay)d of each group defend their league against places %(next)d "
            "to %(last)d of the groups below it, the best against the last."
        )
    return [
        who % {"first": stay - places + 1, "stay": stay, "next": up + 1, "last": up + places},
        _(
            "Below League 1 are 2A and 2B, below 2A are 3A and 3B, below 2B are 3C and 3D, and so on. The players of "
            "two groups below meet first, and the winner plays the one who defends, who is the higher seed."
        ),
        _("Who wins a play-off plays in the higher league in the next season, and the others in the lower."),
    ]


def _move_sentence(grouping: GroupingOptions) -> str:
    up, stay = grouping.promoted_to, grouping.stays_to
    if not up:
        sentence = _(
            "When a season follows, all after place %(stay)d of each group go down a league, as far as the sizes of "
            "the leagues allow."
        )
        return sentence % {"stay": stay}
    moves = ngettext(
        "When a season follows, the first of each group goes up a league, and all after place %(stay)d go down, as far "
        "as the sizes of the leagues allow.",
        "When a season follows, the first %(up)d of each group go up a league, and all after place %(stay)d go down, "
        "as far as the sizes of the leagues allow.",
        up,
    )
    return moves % {"up": up, "stay": stay}


def way_sentence(stage: Stage, following: Stage) -> str:
    """Return in which groups a stage is played, and who goes on from there to what."""
    rule = stage.advance_rule
    given = {"groups": capfirst(grouping_text(stage)), "format": _(stage.format_spec.noun)}
    first = (_("A %(format)s") if stage.grouping is None else _("%(groups)s, each a %(format)s")) % given
    if rule is None:
        return f"{first}."
    target = _("a %(format)s") % {"format": _(following.format_spec.noun)}
    if following.grouping is not None:
        target = _("%(groups)s, each %(format)s") % {"groups": grouping_text(following), "format": target}
    return f"{first}; {_who_goes_on(rule, stage, target)}, {_seeding_text(rule, stage)}.{_begin_text(rule)}"


def _begin_text(rule: AdvanceRule) -> str:
    """Return when the next stage begins, as another sentence; empty where it begins at once."""
    return f" {_('It begins in the next month.')}" if rule.begins == NEXT_MONTH else ""


def _who_goes_on(rule: AdvanceRule, stage: Stage, target: str) -> str:
    """Return who goes on from a stage to a target, without the end of a sentence."""
    given = {"target": target, "percent": rule.above_percent, "first": apnumber(rule.first)}
    if rule.above_percent is not None:
        return _("all with more than %(percent)d %% of the possible points go on to %(target)s") % given
    if stage.grouping is None:
        sentence = ngettext("the first goes on to %(target)s", "the first %(first)s go on to %(target)s", rule.first)
    elif not rule.best:
        sentence = ngettext(
            "the first of each group goes on to %(target)s",
            "the first %(first)s of each group go on to %(target)s",
            rule.first,
        )
    else:
        given |= {"best": _best_text(rule)}
        sentence = ngettext(
            "the first of each group and %(best)s go on to %(target)s",
            "the first %(first)s of each group and %(best)s go on to %(target)s",
            rule.first,
        )
    return sentence % given


def _best_text(rule: AdvanceRule) -> str:
    place = {"best": apnumber(rule.best), "place": ordinal(rule.first + 1)}
    return ngettext("the best in %(place)s place", "the best %(best)s in %(place)s place", rule.best) % place


def _seeding_text(rule: AdvanceRule, stage: Stage) -> str:
    """Return how those who go on are seeded."""
    if rule.seeding == BY_RATING:
        return _("seeded by rating")
    if rule.seeding == BY_DRAW:
        return _("seeded by draw")
    if stage.grouping is None or rule.first == 1:
        return _("seeded by their places")
    return _("seeded in a snake through the groups") if rule.seeding == SNAKE else _("seeded crossed: A1–B2, B1–A2")
