"""Look up what a page's URL and query name."""

from django.http import HttpRequest, QueryDict

from players.models import Player
from tournaments.models import Competition
from tournaments.office.selectors.organisers import may_see
from tournaments.records.competitions import get_cup, get_ladder
from tournaments.records.errors import NO_COMPETITION, CompetitionNotFound

MAX_TOPICS = 10
"""The most topics of one page: all pages of a browser share those of a stream."""


def find_competition(kind: str, slug: str, viewer: Player | None) -> Competition:
    """Return the ladder or cup with this slug; a draft only to who runs it. Raises ``CompetitionNotFound``."""
    competition: Competition = get_cup(slug) if kind == "cup" else get_ladder(slug)
    require_visible(competition, viewer)
    return competition


def require_visible(competition: Competition, viewer: Player | None) -> None:
    """Raise ``CompetitionNotFound`` for a draft unless the viewer runs it."""
    if not may_see(competition=competition, player=viewer):
        raise CompetitionNotFound(NO_COMPETITION)


def topics_of(*competitions: Competition) -> str:
    """Return the topics that the page of these competitions follows: the public ones, the first of them."""
    return " ".join(f"competition:{each.slug}" for each in competitions[:MAX_TOPICS] if each.is_public)


def asked_number(request: HttpRequest, name: str) -> int | None:
    """Return the number that the query gives to a name, if it is one that can be asked for."""
    return _number_in(request.GET, name)


def sent_number(request: HttpRequest, name: str) -> int | None:
    """Return the number that a form that was sent gives to a name, if it is one."""
    return _number_in(request.POST, name)


def _number_in(values: QueryDict, name: str) -> int | None:
    text = values.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else None
