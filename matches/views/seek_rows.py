"""Rows of open games as HTML, made once for all who have the lobby on a page."""

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from matches.models import Seek, SeekStatus
from matches.sentences import format_time_control
from rules_engine.registry import get_game

WITHOUT_TOKEN = {"csrf_token": "NOTPROVIDED"}
"""Django's word for a form without a token: each page gives the rows its own."""


def render_seek_row(seek: Seek) -> SafeString:
    """Return the row of an open game as those see it who can take it."""
    return render_to_string("matches/parts/seek_row.html", {"seek": seek, "mine": False, **WITHOUT_TOKEN})


def news_of_seek(seek: Seek) -> str:
    """Return what has become of a game, as a sentence."""
    facts = {
        "name": seek.creator.username,
        "game": get_game(seek.game).title,
        "time": format_time_control(seek.time_control),
    }
    match seek.status:
        case SeekStatus.OPEN:
            return _("%(name)s has posted a game: %(game)s, %(time)s.") % facts
        case SeekStatus.TAKEN:
            return _("The game of %(name)s was taken: %(game)s, %(time)s.") % facts
        case _:
            return _("The game of %(name)s was withdrawn: %(game)s, %(time)s.") % facts
