"""Sentences about competitions for pages and the API: formats, options, reasons, and what happens next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

from django.utils.formats import date_format
from django.utils.text import capfirst, get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from formats.pairing.challenge import Obstacle, Prospect, Refusal
from formats.pairing.legs import Decider
from formats.protocol import DrawnTie, Part
from formats.reasons import DRAW, Reason, ReasonCode
from formats.registry import get_format
from formats.scoring import PointTable, name_table
from formats.stage_plans import ImpossibleStage, StagePlan, outline_stage, plan_stages
from formats.tiebreaks import TIEBREAKS
from formats.ties import number_parts
from matches.sentences import format_duration
from tournaments.models import Competition, CompetitionStatus, RoundEnd, Series, Stage
from tournaments.models.season_dates import LEAP_YEAR, Rhythm
from tournaments.office.stage_texts import grouping_text, list_levels, way_sentence
from tournaments.pages.pictures.link_preview import LinkPreview
from tournaments.records.competitions import last_format_of
from tournaments.records.cups import Wait, Waiting
from tournaments.records.levels import chosen_stages
from web.moments import format_moment
from web.storable_text import printable

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


_REASONS = {
    (ReasonCode.AHEAD, False): gettext_lazy("Ahead of the next player on %(tiebreak)s."),
    (ReasonCode.AHEAD, True): gettext_lazy("Level on %(level)s with the next player, ahead on %(tiebreak)s."),
    (ReasonCode.BEHIND, False): gettext_lazy("Behind the player above on %(tiebreak)s."),
    (ReasonCode.BEHIND, True): gettext_lazy("Level on %(level)s with the player above, behind on %(tiebreak)s."),
}
_REASONS_OF_DRAW = {
    (ReasonCode.AHEAD, False): gettext_lazy("Ahead of the next player by lot."),
    (ReasonCode.AHEAD, True): gettext_lazy("Level on %(level)s with the next player, ahead by lot."),
    (ReasonCode.BEHIND, False): gettext_lazy("Behind the player above by lot."),
    (ReasonCode.BEHIND, True): gettext_lazy("Level on %(level)s with the player above, behind by lot."),
}

_TEAM_REASONS = {
    (ReasonCode.AHEAD, False): gettext_lazy("Ahead of the next team on %(tiebreak)s."),
    (ReasonCode.AHEAD, True): gettext_lazy("Level on %(level)s with the next team, ahead on %(tiebreak)s."),
    (ReasonCode.BEHIND, False): gettext_lazy("Behind the team above on %(tiebreak)s."),
    (ReasonCode.BEHIND, True): gettext_lazy("Level on %(level)s with the team above, behind on %(tiebreak)s."),
}
_TEAM_REASONS_OF_DRAW = {
    (ReasonCode.AHEAD, False): gettext_lazy("Ahead of the next team by lot."),
    (ReasonCode.AHEAD, True): gettext_lazy("Level on %(level)s with the next team, ahead by lot."),
    (ReasonCode.BEHIND, False): gettext_lazy("Behind the team above by lot."),
    (ReasonCode.BEHIND, True): gettext_lazy("Level on %(level)s with the team above, behind by lot."),
}

_OBSTACLES = {
    Obstacle.NOT_ON_LADDER: gettext_lazy("Both players must be on the ladder."),
    Obstacle.YOURSELF: gettext_lazy("You cannot challenge yourself."),
    Obstacle.PAUSED: gettext_lazy("You are not getting new games at the moment."),
    Obstacle.OPPONENT_PAUSED: gettext_lazy("This player is not getting new games at the moment."),
    Obstacle.NOT_ABOVE: gettext_lazy("You can only challenge players above you."),
    Obstacle.PLAYING_ALREADY: gettext_lazy("You are already playing each other."),
}


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
    return _("%(format)s, then %(last)s") % {"format": name, "last": _(get_format(last_format_of(competition)).noun)}


def rhythm_text(series: Series) -> str:
    """Return when the next season of a series comes."""
    if series.ended_at is not None:
        return _("There will be no more seasons.")
    if series.rhythm == Rhythm.DATES:
        days = [date_format(date(LEAP_YEAR, month, day), "j F") for month, day in series.calendar.days]
        return _("A season starts on each of these days: %(days)s.") % {"days": ", ".join(days)}
    return {
        Rhythm.WEEKLY: _("A season starts every week."),
        Rhythm.MONTHLY: _("A season starts every month."),
        Rhythm.AFTER_END: ngettext(
            "A season starts %d day after the end of the last one.",
            "A season starts %d days after the end of the last one.",
            series.announce_days,
        )
        % series.announce_days,
    }[Rhythm(series.rhythm)]


def carry_over_text(series: Series) -> str:
    """Return who comes along from season to season."""
    return _(series.carries.summary)


def start_sentence(competition: Competition) -> str:
    """Return when a competition that has not started starts, apart from a date; empty once it has."""
    if competition.status == CompetitionStatus.DRAFT:
        return _("The organisers are preparing this competition. Only they can see this page.")
    if competition.status == CompetitionStatus.OPEN:
        if competition.starts_when_full:
            return _("It starts automatically when all places are taken.")
        if competition.first_stage.gathers and not competition.starts_at:
            return _("It starts automatically with the first group.")
        return "" if competition.starts_at else _("It starts when the organiser starts it.")
    if competition.status == CompetitionStatus.CLOSED:
        return "" if competition.starts_at else _("Entry is closed. It starts when the organiser starts it.")
    return ""


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


def reasons_text(reasons: Iterable[Reason], team: int | None = None) -> str:
    """Return why a row of a table stands where it stands, a sentence for each reason; ``team`` is the id of a team."""
    return " ".join(_reason_sentence(each, of_teams=team is not None) for each in reasons)


def in_words(value: Any) -> Any:
    """Return what stands for a value in a sentence: a moment in words, and all else as it is."""
    return format_moment(value) if isinstance(value, datetime) else value


def refusal_sentence(refusal: Refusal, show: Callable[[Any], Any] = in_words) -> str:
    """Return to a challenger why there can be no challenge; ``show`` as in ``waiting_sentence``."""
    given = {name: show(value) for name, value in refusal.parameters.items()}
    match refusal.obstacle:
        case Obstacle.OUT_OF_REACH:
            sentence = ngettext(
                "From place %(position)d you can challenge up to %(reach)d place above you, not %(distance)d.",
                "From place %(position)d you can challenge up to %(reach)d places above you, not %(distance)d.",
                given["reach"],
            )
        case Obstacle.TOO_MANY_OUTGOING:
            sentence = ngettext(
                "You already have your one game as challenger.",
                "You already have your %(games)d games as challenger.",
                given["games"],
            )
        case Obstacle.TOO_MANY_INCOMING:
            sentence = ngettext(
                "This player has already been challenged to %(games)d game.",
                "This player has already been challenged to %(games)d games.",
                given["games"],
            )
        case Obstacle.MET_LATELY:
            sentence = _("You played each other recently. You can meet again from %(until)s.")
        case obstacle:
            sentence = str(_OBSTACLES[obstacle])
    return sentence % given


def prospect_text(prospect: Prospect) -> str:
    """Return to a challenger what one end of a game would mean."""
    if prospect.position == prospect.before:
        sentence = _("You keep place %(place)d.") % {"place": prospect.before}
    else:
        places = {"before": prospect.before, "after": prospect.position}
        sentence = _("You climb from place %(before)d to %(after)d.") % places
    return (
        f"{sentence} {_('You will get no new games until you use the site again.')}"
        if prospect.stops_games
        else sentence
    )


def _lacking_sentence(waiting: Waiting) -> str:
    """Return how many a cup lacks to start."""
    sentence = ngettext("The cup needs %d more player.", "The cup needs %d more players.", waiting.players)
    if waiting.of_teams:
        sentence = ngettext("The cup needs %d more team.", "The cup needs %d more teams.", waiting.players)
    return sentence % waiting.players


def waiting_sentence(waiting: Waiting, show: Callable[[Any], Any] = in_words) -> str:
    """Return what a cup waits for. ``show`` makes names and moments part of the sentence: as text, or as HTML."""
    words = {"player": show(waiting.player), "match": show(waiting.fixture), "until": show(waiting.until)}
    match waiting.kind:
        case Wait.OPENING:
            return _("The organiser has not opened entry yet.")
        case Wait.ENTRANTS:
            return _lacking_sentence(waiting)
        case Wait.CHECK_IN:
            sentence = ngettext(
                "%d player has not checked in yet.", "%d players have not checked in yet.", waiting.players
            )
            return sentence % waiting.players
        case Wait.START:
            return _("It starts at %(until)s.") % words if waiting.until else _("The organiser has to start it.")
        case Wait.PLAYERS:
            sentence = ngettext(
                "Level %(level)d: the next group needs %(players)d more player.",
                "Level %(level)d: the next group needs %(players)d more players.",
                waiting.players,
            )
            return sentence % {"level": waiting.level, "players": waiting.players}
        case Wait.PAIRING:
            return _("The next round is being drawn.")
        case Wait.PUBLICATION:
            return _("The next round has been drawn. An organiser has to publish it.")
        case Wait.STAGE:
            return _("The next stage begins at %(until)s.") % words
        case Wait.SETTLEMENT:
            return _("The result of %(match)s is being counted.") % words
        case Wait.MOVE:
            if waiting.until is None:
                return _("%(player)s is to move in %(match)s when the match is resumed.") % words
            return _("%(player)s is to move in %(match)s, until %(until)s.") % words


_OF_TEAM_TIES = {
    Decider.SEED: gettext_lazy("level on match points, boards and goals: the higher seed goes on"),
    Decider.NEITHER: gettext_lazy("neither team played: nobody goes on"),
}
"""The things that decided ties of teams, where this is not said as of single players."""


def decider_text(decided_by: str, *, of_teams: bool = False) -> str:
    """Return by what a tie was decided; empty while it is not."""
    if of_teams and decided_by in _OF_TEAM_TIES:
        return str(_OF_TEAM_TIES[Decider(decided_by)])
    return (
        {
            Decider.POINTS: _("by match points"),
            Decider.BOARDS: _("by boards won"),
            Decider.GOALS: _("by goals"),
            Decider.REPLAY_POINTS: _("by match points in the replay"),
            Decider.REPLAY_GOALS: _("by goals in the replay"),
            Decider.WITHDRAWAL: _("by withdrawal"),
            Decider.SEED: _("level on points and goals: the higher seed goes on"),
            Decider.NEITHER: _("neither player began: nobody goes on"),
            Decider.BYE: _("without play: there was no opponent"),
            Decider.NOT_PLAYED: _("not played"),
        }.get(Decider(decided_by), "")
        if decided_by
        else ""
    )


def name_rounds(ties: Iterable[DrawnTie]) -> dict[tuple[int, Part], str]:
    """Return what each round of each part of a bracket is called, by the round's number and the part."""
    return name_parts((tie.key.round, tie.key.part) for tie in ties)


def name_parts(played: Iterable[tuple[int, Part]]) -> dict[tuple[int, Part], str]:
    """Return what ``name_rounds`` returns, from the parts of a bracket that are played in its rounds."""
    numbers = number_parts(played)
    parts = {part for part, _round in numbers}
    last = max((number for (part, _round), number in numbers.items() if part is Part.MAIN), default=0)

    def name(part: Part, number: int) -> str:
        if part is Part.MAIN and Part.LOSERS not in parts:
            from_the_end = {0: _("Final"), 1: _("Semi-finals"), 2: _("Quarter-finals")}
            return from_the_end.get(last - number) or _("Round %(number)d") % {"number": number}
        names = {
            Part.MAIN: _("Winners' round %(number)d"),
            Part.LOSERS: _("Losers' round %(number)d"),
            Part.FINAL: _("Final"),
            Part.RESET: _("Second final"),
            Part.THIRD_PLACE: _("Third place"),
        }
        return names[part] % {"number": number}

    return {(round_, part): name(part, number) for (part, round_), number in numbers.items()}


def name_column(names: Mapping[tuple[int, Part], str], number: int) -> str:
    """Return what a round is called as a whole: after the parts that are played for more than a place."""
    own = [name for (round_, part), name in names.items() if round_ == number and part is not Part.THIRD_PLACE]
    return " · ".join(own)


def points_sentence(table: PointTable) -> str:
    """Return what a match, a bye, and a match that neither played are worth by a points table."""
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
    if table.bye != table.five_nil.winner:
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
    facts.append(points_sentence(competition.scoring))
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
    if competition.admits_computers:
        facts.append(_("Computers may play too."))
    return facts


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
    sizes = [_size_text(stage, plan, boards or 1) for stage, plan in zip(stages, plans, strict=True)]
    if len(sizes) == 1:
        return [f"{capfirst(text)}." for text in sizes]
    return [_("Stage %(number)d: %(size)s.") % {"number": number, "size": text} for number, text in enumerate(sizes, 1)]


def _size_text(stage: Stage, plan: StagePlan, boards: int) -> str:
    """Return how many groups a stage has, and what they come to, without the end of a sentence."""
    outline = outline_stage(stage, plan)
    matches, rounds = (outline.matches or 0) * boards, outline.rounds or 0
    text = _("at most %(matches)s in %(rounds)s") % {
        "matches": ngettext("%d match", "%d matches", matches) % matches,
        "rounds": ngettext("%d round", "%d rounds", rounds) % rounds,
    }
    if stage.grouping is None:
        return text
    return ngettext("%(count)d group, %(size)s", "%(count)d groups, %(size)s", len(plan.sizes)) % {
        "count": len(plan.sizes),
        "size": text,
    }


def _reason_sentence(reason: Reason, *, of_teams: bool) -> str:
    if reason.code is ReasonCode.SHARED:
        return _("Shares this place: level on everything that decides the table.")
    tiebreak = tiebreak_name(reason.tiebreak)
    if reason.own:
        tiebreak = _("%(tiebreak)s (%(own)s to %(other)s)") % {
            "tiebreak": tiebreak,
            "own": reason.own,
            "other": reason.other,
        }
    level = get_text_list([tiebreak_name(key) for key in reason.level_on], _("and"))
    if reason.tiebreak == DRAW:
        sentences = _TEAM_REASONS_OF_DRAW if of_teams else _REASONS_OF_DRAW
    else:
        sentences = _TEAM_REASONS if of_teams else _REASONS
    return sentences[reason.code, bool(level)] % {"tiebreak": tiebreak, "level": level}


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
    described = stage.format_spec.describe(stage.chosen_options, of_teams=of_teams)
    facts = [_(sentence) % given for sentence, given in described]
    of_results = [key for key in stage.tiebreaks if key in TIEBREAKS and TIEBREAKS[key].needs_results]
    if of_results and getattr(stage.chosen_options, "best_results", None):
        names = get_text_list([tiebreak_name(key) for key in of_results], _("and"))
        facts.append(_("For %(tiebreaks)s, too, only the best results of each player count.") % {"tiebreaks": names})
    if stage.round_days is not None:
        days = ngettext("Each round takes at most %d day.", "Each round takes at most %d days.", stage.round_days)
        facts.append(f"{days % stage.round_days} {round_end_sentence(stage)}")
    return facts


def _list_all_stages(stages: Sequence[Stage], *, of_teams: bool) -> list[str]:
    """Return how the stages follow each other, and how each is played."""
    stages = chosen_stages(stages)
    if len(stages) == 1:
        return [*list_levels(stages[0]), *_list_stage_facts(stages[0], of_teams=of_teams)]
    ways = [way_sentence(stage, following) for stage, following in pairwise(stages)]
    details = [
        _("Stage %(number)d: %(facts)s")
        % {"number": stage.number, "facts": " ".join(_list_stage_facts(stage, of_teams=of_teams))}
        for stage in stages
    ]
    return [*ways, *details]


def preview_of(competition: Competition) -> LinkPreview:
    """Return what the picture of links to a competition says; a cup was read with its winner."""
    lines = [competition_format_text(competition), f"{competition.rules.title} · {competition.get_status_display()}"]
    winner = competition.winner
    return LinkPreview(
        name=printable(competition.name),
        lines=tuple(lines),
        winner=_("Winner: %(player)s") % {"player": winner.name} if winner else "",
    )
