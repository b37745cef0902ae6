"""Sentences about what a competition waits for, and about challenges."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from formats.pairing.challenge import Obstacle, Prospect, Refusal
from tournaments.records.cups import Wait, Waiting
from web.moments import format_moment

_OBSTACLES = {
    Obstacle.NOT_ON_LADDER: gettext_lazy("Both players must be on the ladder."),
    Obstacle.YOURSELF: gettext_lazy("You cannot challenge yourself."),
    Obstacle.PAUSED: gettext_lazy("You are not getting new games at the moment."),
    Obstacle.OPPONENT_PAUSED: gettext_lazy("This player is not getting new games at the moment."),
    Obstacle.NOT_ABOVE: gettext_lazy("You can only challenge players above you."),
    Obstacle.PLAYING_ALREADY: gettext_lazy("You are already playing each other."),
}


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
