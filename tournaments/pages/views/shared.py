"""The parts of a competition's pages that many readers share: rendered once for each version of what they show.

They are made as if nobody in particular asked: neither a session nor a form's token can get into them. What is the
reader's own stands beside them, and is made for each request.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, QueryDict
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from database.clock import current_moment
from matches.views.remembered import share
from players.current_player import current_player
from players.models import Player
from tournaments.entries.selectors.own_entry import find_entry
from tournaments.models import Competition, Entry, Title
from tournaments.pages.selectors.own_part import OwnPart, own_part_in
from tournaments.pages.selectors.versions import Version, version_of
from tournaments.records.seasons import seasons_beside
from tournaments.tables.selectors.titles import find_holder

ASKED = ("stage", "round", "part", "page", "rows", "matches")
"""The names in a query by which pages of competitions differ."""

OF_HOST = frozenset({"HTTP_HOST", "SERVER_NAME", "SERVER_PORT"})

MAX_ASKED = 60
"""The most characters of such a query with which a part is kept."""


class RequestOfNobody(HttpRequest):
    """A request for the same page, as far as it says which, without anything that says who sends it."""

    def __init__(self, request: HttpRequest) -> None:
        """Take the URL, and of the query what pages differ by."""
        super().__init__()
        self._scheme = request.scheme
        self.method, self.path, self.path_info = "GET", request.path, request.path_info
        self.META = {name: value for name, value in request.META.items() if name in OF_HOST}
        asked = {name: request.GET[name] for name in ASKED if name in request.GET}
        self.GET = QueryDict(urlencode(asked))

    def _get_scheme(self) -> str | None:
        return self._scheme


class Reader(NamedTuple):
    """What a page shows otherwise to its reader: their own entry, and whether they run the competition."""

    entry: Entry | None
    runs: bool

    @property
    def key(self) -> tuple[int, bool]:
        """Return what tells readers apart who see something else."""
        return self.entry.pk if self.entry is not None else 0, self.runs


NOBODY = Reader(None, runs=False)
"""The reader of what is the same for all."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A competition as a page shows it: to whom, and of which version, ``None`` for a page that nobody shares.

    A series names the ``holder`` of its title, and the seasons ``beside``. What is not in the reader's ``own`` part
    need not be read.
    """

    competition: Competition
    reader: Reader
    version: Version | None
    holder: Title | None
    beside: list[Competition]
    own: OwnPart

    @classmethod
    def of(cls, request: HttpRequest, competition: Competition) -> "Shown":
        """Return the competition as it is now, read before anything that is shown of it."""
        player = current_player(request)
        holder, beside = find_holder(competition), seasons_beside(competition)
        version = version_of(competition, holder=holder, beside=beside, now=current_moment())
        own = own_part_in(competition, player)
        entry = find_entry(competition, player) if own.has_entry else None
        runs = own.runs or (player is not None and player.is_superuser)
        return cls(competition, Reader(entry, runs), version, holder, beside, own)


class Page(NamedTuple):
    """The parts of a page by name, and of what they were made, what the reader's own parts say as well.

    One that ``is_for_now`` may say something else a moment later, although nothing has changed.
    """

    parts: dict[str, SafeString]
    kept: dict[str, Any]
    is_for_now: bool


def share_parts(
    request: HttpRequest,
    shown: Shown,
    templates: Mapping[str, str],
    build: Callable[[HttpRequest], dict[str, Any]],
    *,
    kept: tuple[str, ...] = (),
) -> Page:
    """Return parts of a page, each rendered by its template with what is built for a request of nobody.

    The values ``kept`` of that come with them. What not everybody may see is made for each request.
    """
    asked = RequestOfNobody(request)

    def make() -> Page:
        context = {"request": asked, **build(asked)}
        parts = {name: render_to_string(template, context) for name, template in templates.items()}
        kept_values = {name: context[name] for name in kept if name in context}
        return Page(parts, kept_values, is_for_now=getattr(asked, "is_for_now", False))

    query = asked.GET.urlencode()
    if shown.version is None or not shown.competition.is_public or len(query) > MAX_ASKED:
        return make()
    key = (shown.competition.pk, *templates, *shown.reader.key, get_language(), asked.build_absolute_uri(), query)
    name = f"competition:{sha256(repr(key).encode()).hexdigest()}"
    return share(name, shown.version, make, keeps=lambda page: not page.is_for_now)


def viewer_context(shown: Shown, viewer: Player | None) -> dict[str, Any]:
    """Return who asks, for parts that no other reader gets: of entrants, and of cups of teams, which nobody shares."""
    is_own = shown.reader.entry is not None or shown.competition.boards is not None
    return {"user": viewer, "viewer_id": viewer.pk} if is_own and viewer is not None else {}
