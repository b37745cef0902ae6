"""Sentences about competitions for pages and the API: formats, options, reasons, and what happens next."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Protocol

from django.utils.text import capfirst, get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from formats.registry import get_format
from formats.scoring.points import PointTable, name_table
from formats.scoring.tiebreaks import TIEBREAKS
from formats.stage_plans import ImpossibleStage, StagePlan, outline_stage, plan_levels, plan_stages
from matches.sentences import format_duration
from tournaments.models import Competition, Disqualification, RoundEnd, Stage
from tournaments.office.stage_texts import grouping_text, list_levels, tiebreak_name, way_sentence
from tournaments.records.competitions import last_format_of
from tournaments.records.levels import chosen_stages


def competition_format_text(competition: Competition) -> str:
    """Return what the format of a competition is called with its options, and in which one it ends if in another."""
    first = competition.first_stage
    name = _(first.format_spec.name(first.chosen_options))
    if first.grouping is not None:
        name = _("%(format)s in %(groups)s") % {"format": name, "groups": grouping_text(first)}
    if first.max_levels is not None:
        return _("%(format)s, level by level") % {"format": name}
    if first.advance is None:
        return name
    if first.play_offs is not None:
        return _("%(format)s, then play-offs") % {"format": name}
    return _("%(format)s, then %(last)s") % {"format": name, "last": _(get_format(last_format_of(competition)).noun)}


class WithText(Protocol):
    """A line of a log, or what streams read of it."""

    @property
    def reason(self) -> str: ...  # noqa: D102 - as the columns say

    @property
    def taken_down_at(self) -> datetime | None: ...  # noqa: D102


def public_text(line: WithText) -> str:
    """Return the reason or announcement of a line as everybody reads it."""
    return line.reason if line.taken_down_at is None else _("Taken down by the organisers.")


def change_sentences(changes: Sequence[Mapping[str, str]]) -> list[str]:
    """Return from what to what something was changed, a sentence for each change of a line of the log."""
    sentence = _("%(what)s: from “%(old)s” to “%(new)s”.")
    return [sentence % {**change, "what": capfirst(change["what"])} for change in changes]


def round_end_sentence(stage: Stage) -> str:
    """Return what becomes of matches that go on when their round must end."""
    return {
        RoundEnd.WAIT: _("If matches are still running then, the round continues until they are over."),
        RoundEnd.ADJUDICATE: _(
            "Matches that are still running then are decided by their score, and lost by both if neither has moved."
        ),
        RoundEnd.FORFEIT: _(
            "In matches that are still running then, the player to move loses. If neither has moved, both lose."
        ),
    }[RoundEnd(stage.at_round_end)]


def points_sentence(table: PointTable, stages: Iterable[Stage]) -> str:
    """Return what a match, one that neither played, and a bye if these stages have any are worth by a points table."""
    drawn = f"{table.drawn}–{table.drawn}"
    wins = {name: f"{worth.winner}–{worth.loser}" for name, worth in table.wins.items()}
    if name_table(table) is not None or len(set(wins.values())) == 1:
        listed = get_text_list(list(dict.fromkeys(wins.values())), _("or"))
        sentence = _("Match points: %(wins)s for a win, %(drawn)s if nobody wins.") % {"wins": listed, "drawn": drawn}
    else:
        parts = [
            _("%(points)s for a %(outcome)s") % {"points": points, "outcome": outcome.replace("-", "–")}
            for outcome, points in {**wins, "2-2": drawn}.items()
        ]
        sentence = _("Match points: %(list)s.") % {"list": get_text_list(parts, _("and"))}
    if any(stage.abilities.pairs_by_results for stage in stages):
        sentence += " " + _("A bye gives %(points)d.") % {"points": table.bye}
    if table.neither:
        sentence += " " + _("If neither player plays, both get %(points)d.") % {"points": table.neither}
    return sentence


def _facts_of_teams(boards: int, *, in_ties: bool) -> list[str]:
    """Return how teams play, a sentence each: in ties, or for points in a table."""
    decides = _("Match points of all boards decide who wins, then boards won, then goals.")
    if not in_ties:
        decides = _(
            "Match points of all boards decide who wins, then boards won, then goals. A win counts 2, a draw 1."
        )
    return [
        _("Each team plays on %d boards: first board against first board, and so on.") % boards,
        _("A captain can set a line-up until a round begins. Otherwise the last line-up is used."),
        decides,
        _("A board without a player is lost."),
    ]


def list_facts(competition: Competition, stages: Sequence[Stage] | None = None) -> list[str]:
    """Return the options of a competition that its players want to know, a sentence each.

    ``stages`` are those of one that is not stored.
    """
    stages = competition.all_stages if stages is None else stages
    facts = _list_all_stages(stages, of_teams=competition.boards is not None)
    if competition.boards is not None:
        facts += _facts_of_teams(competition.boards, in_ties=stages[0].is_bracket)
    if stages[0].has_leagues or not (stages[-1].is_bracket or stages[-1].is_endless):
        facts.append(champion_sentence(of_teams=competition.boards is not None))
    facts.append(_disqualification_sentence(Disqualification(competition.disqualification)))
    facts.append(points_sentence(competition.scoring, stages))
    facts.append(_("Counts for the ratings.") if competition.is_rated else _("Casual: does not count for the ratings."))
    if competition.by_invitation:
        is_for_teams = competition.boards is not None
        facts.append(_("Only invited teams can join.") if is_for_teams else _("Only invited players can join."))
    elif competition.password:
        is_for_teams = competition.boards is not None
        facts.append(_("Captains need a password to join.") if is_for_teams else _("Players need a password to join."))
    if competition.check_in_minutes is not None:
        facts.append(check_in_sentence(competition.check_in_minutes))
    if competition.min_rating is not None:
        facts.append(_("For players rated %(rating)d or more.") % {"rating": competition.min_rating})
    if competition.max_rating is not None:
        facts.append(_("For players rated %(rating)d or less.") % {"rating": competition.max_rating})
    if competition.vacation_limit is not None and not competition.time_control.is_live:
        facts.append(_vacation_sentence(competition.vacation_limit))
    if competition.begin_within is not None:
        facts.append(begin_sentence(timedelta(seconds=competition.begin_within)))
    if competition.protest_hours is not None:
        facts.append(_protest_sentence(timedelta(hours=competition.protest_hours)))
    if competition.admits_computers:
        facts.append(_("Computers may play too."))
    return facts


def champion_sentence(*, of_teams: bool) -> str:
    """Return what withdrawing does to who wins by a table."""
    if of_teams:
        return _("A team that withdraws with matches still to play cannot win if another team has stayed and played.")
    return _("Players who withdraw with matches still to play cannot win if somebody else has stayed and played.")


def _disqualification_sentence(rule: Disqualification) -> str:
    return {
        Disqualification.STAND: _("Who is disqualified has no place. Their results stand."),
        Disqualification.LOST: _(
            "Who is disqualified has no place. All their matches are lost as by forfeit, but not those of a knock-out."
        ),
        Disqualification.COMEBACK: _(
            "Who is disqualified has no place. In a knock-out, the opponent whom they beat last plays on in their "
            "place, unless they have lost a tie since. All other results stand."
        ),
        Disqualification.ANNULLED: _(
            "Who is disqualified has no place. All their matches are annulled, but not those of a knock-out."
        ),
    }[rule]


def begin_sentence(length: timedelta) -> str:
    """Return how long players have for their first move, and what comes of not making it."""
    return _(
        "Players have %(length)s of their clock for their first move. A player who has not made it by then forfeits "
        "the match."
    ) % {"length": format_duration(length)}


def _protest_sentence(length: timedelta) -> str:
    return _("The final result is provisional for %(length)s after the end.") % {"length": format_duration(length)}


def check_in_sentence(minutes: int) -> str:
    """Return how long before the start players check in, and what comes of not doing so."""
    return _(
        "Check-in opens %(length)s before the start. Players who have not checked in by the start do not play."
    ) % {"length": format_duration(timedelta(minutes=minutes))}


def list_sizes(stages: Sequence[Stage], entrants: int, *, boards: int | None = None) -> list[str]:
    """Return what each stage of a cup comes to with so many entrants, a sentence each; none if one cannot be played.

    With ``boards`` they are teams, of which two play so many matches when they meet.
    """
    try:
        plans = plan_stages(stages, entrants)
    except ImpossibleStage:
        return []
    # Nobody plays the play-offs of a single league.
    sizes = [_size_text(stage, plan, boards or 1) for stage, plan in zip(stages, plans, strict=True) if plan.sizes]
    if len(sizes) == 1:
        return [f"{capfirst(text)}." for text in sizes]
    return [_("Stage %(number)d: %(size)s.") % {"number": number, "size": text} for number, text in enumerate(sizes, 1)]


def _size_text(stage: Stage, plan: StagePlan, boards: int) -> str:
    """Return how many groups a stage has, and what they come to, without the end of a sentence."""
    levels = plan_levels(stage, plan)
    outlines = [outline_stage(stage, level) for level in levels]
    matches = sum(outline.matches or 0 for outline in outlines) * boards
    rounds = sum(outline.rounds or 0 for outline in outlines)
    text = _("at most %(matches)s in %(rounds)s") % {
        "matches": ngettext("%d match", "%d matches", matches) % matches,
        "rounds": ngettext("%d round", "%d rounds", rounds) % rounds,
    }
    if stage.grouping is None:
        return text
    groups = sum(len(level.sizes) for level in levels)
    if len(levels) > 1:
        given = {"levels": len(levels), "groups": groups, "size": text}
        return _("at most %(levels)d levels with %(groups)d groups, %(size)s") % given
    return ngettext("%(count)d group, %(size)s", "%(count)d groups, %(size)s", groups) % {"count": groups, "size": text}


def _vacation_sentence(limit: int) -> str:
    if limit == 0:
        return _("No vacation: the clocks keep running.")
    sentence = ngettext(
        "At most %(count)d day of vacation for each player.",
        "At most %(count)d days of vacation for each player.",
        limit,
    )
    return sentence % {"count": limit}


def _list_stage_facts(stage: Stage, *, of_teams: bool) -> list[str]:
    """Return how a stage is played."""
    described = stage.format_spec.describe(
        stage.chosen_options, of_teams=of_teams, in_groups=stage.grouping is not None
    )
    facts = [_(sentence) % given for sentence, given in described]
    of_results = [key for key in stage.tiebreaks if key in TIEBREAKS and TIEBREAKS[key].needs_results]
    if of_results and getattr(stage.chosen_options, "best_results", None):
        names = get_text_list([tiebreak_name(key) for key in of_results], _("and"))
        facts.append(_("For %(tiebreaks)s, too, only the best results of each player count.") % {"tiebreaks": names})
    if stage.round_days is not None:
        if stage.at_round_end == RoundEnd.WAIT:
            days = ngettext("A round is to end after %d day.", "A round is to end after %d days.", stage.round_days)
        else:
            days = ngettext(
                "A round ends after %d day at most.", "A round ends after %d days at most.", stage.round_days
            )
        facts.append(f"{days % stage.round_days} {round_end_sentence(stage)}")
    return facts


def _list_all_stages(stages: Sequence[Stage], *, of_teams: bool) -> list[str]:
    """Return how the stages follow each other, and how each is played."""
    stages = chosen_stages(stages)
    if len(stages) == 1:
        return [*list_levels(stages[0]), *_list_stage_facts(stages[0], of_teams=of_teams)]
    if stages[0].play_offs is not None:
        ways = list_levels(stages[0])
    else:
        ways = [way_sentence(stage, following) for stage, following in pairwise(stages)]
    details = [
        _("Stage %(number)d: %(facts)s")
        % {"number": stage.number, "facts": " ".join(_list_stage_facts(stage, of_teams=of_teams))}
        for stage in stages
    ]
    return [*ways, *details]
