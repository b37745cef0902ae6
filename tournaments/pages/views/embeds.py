"""What other sites show of a competition, the same for everybody: its table or bracket in a frame, its picture."""

from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tournaments.models import Competition, Cup
from tournaments.office.sentences import competition_format_text
from tournaments.office.views import find_competition
from tournaments.pages.pictures.link_preview import draw_link_preview
from tournaments.pages.sentences import preview_of
from tournaments.pages.views.cup import cup_context
from tournaments.pages.views.groups import stage_url
from tournaments.pages.views.ladder import ShownRow
from tournaments.records.groups import group_of
from tournaments.tables.selectors.tables import is_challenge, table_page
from web.pages.content_policy import embeddable
from web.requests.conditional import with_etag

MAX_AGE = 60
"""The seconds for which a browser, or a cache before the site, shows what it has."""


@require_safe
@embeddable
@cache_control(public=True, max_age=MAX_AGE)
def embed(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Return the first page of the ladder's table, or the bracket, table or groups of the cup's stage in ``?stage=``.

    Nobody is asked who they are, so that a draft is there for nobody.
    """
    competition = find_competition(kind, slug, None)
    context: dict[str, Any] = {
        "competition": competition,
        "kind": kind,
        "format": competition_format_text(competition),
        "page_url": request.build_absolute_uri(competition.get_absolute_url()),
        "cup": competition,
    }
    shown = cup_context(request, competition, None) if isinstance(competition, Cup) else _ladder_context(competition)
    stage = shown.get("stage")
    tie_base = competition.get_absolute_url() if stage is None else stage_url(competition, stage.stage.number)
    if shown.get("bracket_parts"):
        tie_base += f"{'?' if stage is None else '&'}part={shown['bracket_part']}"
    return render(request, "tournaments/embed.html", context | {"tie_base": tie_base} | shown)


def _ladder_context(ladder: Competition) -> dict[str, Any]:
    page = table_page(stage=ladder.first_stage, group_id=group_of(ladder), entrants=ladder.entrants)
    return {
        "is_challenge": is_challenge(ladder),
        "page": page,
        "rows": [ShownRow(row, [], None, is_mine=False) for row in page.rows],
    }


PICTURE_MAX_AGE = 3600
"""The seconds for which a picture is kept: here, by browsers, and by caches before the site."""


@require_safe
@cache_control(public=True, max_age=PICTURE_MAX_AGE)
def link_preview(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Return the picture of a competition as PNG. Nobody is asked who they are, so that a draft has none."""
    preview = preview_of(find_competition(kind, slug, None))
    key = f"link-preview:{preview.digest}"
    picture = cache.get(key)
    if picture is None:
        picture = draw_link_preview(preview)
        cache.set(key, picture, PICTURE_MAX_AGE)
    return with_etag(request, HttpResponse(picture, content_type="image/png"))
