"""The page of a ladder: its table, my place in it, and whom I can challenge."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from database.clock import current_moment
from players.current_player import current_player, require_player
from players.models import Player
from players.selectors import find_player
from players.views.buttons import button
from tournaments.models import Entry, Ladder, PlaceChange
from tournaments.office.views import asked_number, require_visible
from tournaments.pages.sentences import start_sentence
from tournaments.pages.views.competition import competition_context, shared_context
from tournaments.pages.views.known_pages import keeps_for_visitors, known_page, page_etag, with_tag
from tournaments.pages.views.shared import Shown, share_parts
from tournaments.records.challenges import ChallengeOption, challenge_preview, chooses_until, opponents_within_reach
from tournaments.records.competitions import get_ladder
from tournaments.records.groups import group_of, standing_of
from tournaments.records.ladders import foresee_return
from tournaments.running.services.challenges import challenge
from tournaments.tables.plot import Plot, Reading, draw_plot
from tournaments.tables.selectors.group_tables import GoingOn
from tournaments.tables.selectors.tables import (
    PAGE,
    FormMark,
    TablePage,
    TableRow,
    is_challenge,
    latest_results,
    places_of,
    table_page,
)

PARTS = {
    "meta": "tournaments/parts/meta.html",
    "top": "tournaments/shared/top.html",
    "main": "tournaments/shared/ladder_table.html",
    "rest": "tournaments/shared/rest.html",
}
"""The templates of the parts of the page that many readers share."""


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row of the table with what stands beside it: the last results, and what a challenge would do.

    ``going_on`` is for tables of cups from which players go on.
    """

    row: TableRow
    form: list[FormMark]
    option: ChallengeOption | None
    is_mine: bool
    going_on: GoingOn = GoingOn.NO


@keeps_for_visitors
@require_safe
def ladder_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the ladder; ``?page=`` turns to other rows, ``?of=`` plots the places of another player."""
    player = current_player(request)
    ladder = get_ladder(slug)
    require_visible(ladder, player)
    shown = Shown.of(request, ladder)
    etag = page_etag(request, shown)
    if known := known_page(request, etag):
        return known
    entry = shown.reader.entry
    plotted = _plotted(request, entry, player)
    places = places_of(competition=ladder, username=plotted) if plotted else []
    near: list[Entry] = []
    options: dict[int, ChallengeOption] = {}
    place = _place_of(ladder, entry)
    my_page = -(-place // page_size(request)) if place else None
    seat = entry.seat if entry else None
    can_challenge = seat is not None and seat.position is not None and ladder.status == "running"

    def build(asked: HttpRequest) -> dict[str, Any]:
        page = table_page(
            stage=ladder.first_stage,
            group_id=group_of(ladder),
            number=page_number(asked),
            size=page_size(asked),
            entrants=ladder.entrants,
        )
        if player and entry and seat and can_challenge:
            near.extend(opponents_within_reach(seat=seat))
            options.update(_options(ladder, player, entry, near, page))
        return {
            **shared_context(asked, shown),
            "is_challenge": is_challenge(ladder),
            "page": page,
            **paper_context(asked, page),
            "rows": _shown(ladder, page, options, entry),
            "my_page": my_page,
        }

    # Whom somebody can challenge depends on much besides: the table says it row by row.
    page = share_parts(
        request, replace(shown, version=None) if can_challenge else shown, PARTS, build, kept=("change",)
    )
    context = {
        **competition_context(request, shown, page),
        "ladder": ladder,
        "place": place,
        "my_page": my_page,
        "start": start_sentence(ladder),
        "chooses_until": (
            chooses_until(ladder=ladder, entry=entry, now=current_moment())
            if entry and any(options[each.pk].refusal is None for each in near)
            else None
        ),
        "returns_at": foresee_return(ladder=ladder, entry=entry, now=current_moment()) if entry else None,
        "within_reach": [options[each.pk] for each in near],
        "plotted": places[0].seat.entry if places else None,
        "plot": plot_places(places),
    }
    return with_tag(render(request, "tournaments/ladder.html", context), etag)


@button
def challenge_player(request: HttpRequest, slug: str, username: str) -> HttpResponse:
    """Challenge somebody and go to the match."""
    player = require_player(request)
    ladder = get_ladder(slug)
    require_visible(ladder, player)
    opponent = find_player(username=username)
    if opponent is None:
        raise Http404(_("There is no such player."))
    fixture = challenge(ladder_id=ladder.pk, challenger=player, opponent=opponent, now=current_moment())
    messages.success(request, _("The game has started."))
    return redirect(fixture.match or ladder)


def plot_places(places: list[PlaceChange]) -> Plot | None:
    """Return the plot of an entrant's places, until now or until the entrant left."""
    if not places:
        return None
    readings = [Reading(change.changed_at, change.place) for change in places if change.place is not None]
    return draw_plot(readings, until=places[0].seat.entry.left_at or current_moment(), is_place=True)


def page_number(request: HttpRequest) -> int:
    """Return the number in ``?page=``, 1 where there is none."""
    number = asked_number(request, "page")
    return 1 if number is None else number


def page_size(request: HttpRequest) -> int:
    """Return how many rows a page has: as many as may be printed with ``?rows=all``."""
    return settings.MAX_PRINTED_ROWS if request.GET.get("rows") == "all" else PAGE


def paper_context(request: HttpRequest, page: TablePage) -> dict[str, Any]:
    """Return what the pager below a table needs to lead to all rows on one page, which can be printed, and back."""
    is_all = page_size(request) != PAGE
    return {"is_all": is_all, "rows_query": "rows=all&" if is_all else "", "more_than_page": page.total > PAGE}


def _plotted(request: HttpRequest, entry: Entry | None, player: Player | None) -> str:
    """Return whose places are plotted: the player's in ``?of=``, else the viewer's own."""
    username = request.GET.get("of", "").replace("\0", "")
    return username or (player.username if player and entry else "")


def _place_of(ladder: Ladder, entry: Entry | None) -> int | None:
    if entry is None:
        return None
    seat = entry.seat
    standing = standing_of(seat)
    if seat is not None and is_challenge(ladder):
        return seat.position
    return standing.place if standing else None


def _options(
    ladder: Ladder, player: Player, own: Entry, near: Sequence[Entry], page: TablePage
) -> dict[int, ChallengeOption]:
    """Return what a challenge would mean to the viewer, for everybody on the page and within reach, by entry id."""
    opponents = {row.entry.pk: row.entry for row in page.rows} | {each.pk: each for each in near}
    options = challenge_preview(
        ladder=ladder, player=player, now=current_moment(), opponents=list(opponents.values()), own=own
    )
    return {option.opponent.pk: option for option in options}


def _shown(ladder: Ladder, page: TablePage, options: dict[int, ChallengeOption], mine: Entry | None) -> list[ShownRow]:
    results = latest_results(competition=ladder, entries=[row.entry.pk for row in page.rows])
    return [
        ShownRow(
            row=row,
            form=results.get(row.entry.pk, []),
            option=options.get(row.entry.pk),
            is_mine=mine is not None and mine.pk == row.entry.pk,
        )
        for row in page.rows
    ]
