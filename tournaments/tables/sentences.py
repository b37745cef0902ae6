"""Sentences about the places of a table."""

from collections.abc import Iterable

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.scoring.reasons import DRAW, Reason, ReasonCode
from tournaments.office.stage_texts import tiebreak_name

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


def reasons_text(reasons: Iterable[Reason], team: int | None = None) -> str:
    """Return why a row of a table stands where it stands, a sentence for each reason; ``team`` is the id of a team."""
    return " ".join(_reason_sentence(each, of_teams=team is not None) for each in reasons)


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
