"""Sentences about ties, and the names of a bracket's rounds."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.pairing.legs import Decider
from formats.protocol import DrawnTie, Part
from formats.ties import number_parts
from tournaments.models import Competition, LogEntry, Tie
from tournaments.office.sentences import public_text
from web.moments import format_moment

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


def reason_of(line: LogEntry, competition: Competition) -> str:
    """Return why something was done in a competition. The reason of a decided tie is kept as a code.

    Of an end, which has none, it is said until when it is provisional.
    """
    if line.action == "finished" and line.actor_id is None and competition.provisional_until is not None:
        return _("The final result is provisional until %(moment)s.") % {
            "moment": format_moment(competition.provisional_until)
        }
    if line.action != "tie-decided":
        return public_text(line)
    return capfirst(decider_text(line.reason, of_teams=competition.boards is not None))


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


def names_in_brackets(groups: Iterable[int]) -> dict[int, dict[tuple[int, Part], str]]:
    """Return what ``name_rounds`` returns of those of these groups that are brackets, by their ids. One query."""
    played: dict[int, list[tuple[int, Part]]] = defaultdict(list)
    ties = Tie.objects.filter(round__group__in=groups).order_by("round__number")
    for group_id, number, part in ties.values_list("round__group", "round__number", "part").distinct():
        played[group_id].append((number, Part(part)))
    return {group_id: name_parts(parts) for group_id, parts in played.items()}


def name_column(names: Mapping[tuple[int, Part], str], number: int) -> str:
    """Return what a round is called as a whole: after the parts that are played for more than a place."""
    own = [name for (round_, part), name in names.items() if round_ == number and part is not Part.THIRD_PLACE]
    return " · ".join(own)
