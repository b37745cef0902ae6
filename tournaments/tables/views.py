"""The rating lists, and the hall of fame."""

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from players.current_player import current_player
from players.models import Player, Rating
from players.selectors import find_any_player
from tournaments.models import Title, TitleName
from tournaments.models.game_families import FAMILIES
from tournaments.models.title_names import TitleKind
from tournaments.tables.selectors.records import BEST_FIRST, count_before, count_listed, place_of, rating_list
from tournaments.tables.selectors.titles import TitlePosition, list_titles, titles_after
from web.pages.keyset_pages import keyset_page


@never_cache
@require_safe
def rating_lists(request: HttpRequest) -> HttpResponse:
    """Return the players of a game by rating, by pages; ``?game=`` is another family of games."""
    family = request.GET.get("game") or next(iter(FAMILIES))
    if family not in FAMILIES:
        raise Http404(_("There is no such game."))
    page = keyset_page(rating_list(family), request.GET.get("page"), size=PAGE, order=BEST_FIRST)
    before = count_before(page.object_list[0]) if page.previous else 0
    player = current_player(request)
    own = Rating.objects.filter(player=player, family=family).first() if player else None
    context = {
        "section": "players",
        "families": FAMILIES,
        "family": family,
        "page": page,
        "start": before + 1,
        "end": before + len(page.object_list),
        "listed": count_listed(family),
        "own": own,
        "own_place": place_of(own) if own else None,
    }
    return render(request, "tournaments/players.html", context)


PAGE = 50

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_POSITION = re.compile(r"([0-9]{1,17})-([0-9]{1,18})")


@never_cache
@require_safe
def hall_of_fame(request: HttpRequest) -> HttpResponse:
    """List the titles of a ``?kind=``, a ``?game=`` and a ``?player=``, the latest first; ``?after=`` another page."""
    asked = {name: request.GET[name] for name in ("kind", "game", "player") if request.GET.get(name)}
    is_known = asked.get("kind") in {None, *TitleKind} and asked.get("game") in {None, *FAMILIES}
    if not is_known:
        raise Http404(_("There are no such titles."))
    player = _player(asked.get("player"))
    kind = TitleKind(asked["kind"]) if "kind" in asked else None
    position = _read_position(request.GET.get("after", ""))
    found = list_titles(kind=kind, family=asked.get("game"), player=player)
    titles = list(titles_after(found, position)[: PAGE + 1])
    context = {
        "section": "players",
        "titles": titles[:PAGE],
        "player": player,
        "kinds": [(_link(asked, kind=None), _("All"), kind is None)]
        + [(_link(asked, kind=name), TitleName(name).label, kind == name) for name in TitleKind],
        "games": [(_link(asked, game=None), _("All"), "game" not in asked)]
        + [(_link(asked, game=key), title, asked.get("game") == key) for key, title in FAMILIES.items()],
        "first_url": _link(asked) if position else "",
        "next_url": _link(asked, after=_write_position(titles[PAGE - 1])) if len(titles) > PAGE else "",
    }
    return render(request, "tournaments/hall_of_fame.html", context)


def _player(username: str | None) -> Player | None:
    if username is None:
        return None
    player = find_any_player(username=username)
    if player is None:
        raise Http404(_("There is no such player."))
    return player


def _link(asked: dict[str, str], **changes: str | None) -> str:
    """Return the query of the same list with some parameters changed, or left out for ``None``."""
    query = {name: value for name, value in {**asked, **changes}.items() if value is not None}
    return f"?{urlencode(query)}"


def _write_position(title: Title) -> str:
    return f"{(title.won_at - _EPOCH) // _MICROSECOND}-{title.competition_id}"


def _read_position(text: str) -> TitlePosition | None:
    """Return the position that a link of this page names, ``None`` for anything else."""
    found = _POSITION.fullmatch(text)
    if found is None:
        return None
    try:
        won_at = _EPOCH + int(found[1]) * _MICROSECOND
    except OverflowError:
        return None
    return TitlePosition(won_at, int(found[2]))
