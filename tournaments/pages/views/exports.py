"""The files of a competition that everybody who may see it can take away."""

from django.http import HttpRequest, StreamingHttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from players.current_player import current_player
from tournaments.office.views import asked_number, find_competition
from tournaments.pages.selectors.exports import export_competition, parse_export
from web.limits.table import REQUESTS
from web.pages.streamed_text import stream
from web.requests.client_ip import client_network


@never_cache
@require_safe
def export(request: HttpRequest, kind: str, slug: str, what: str, form: str) -> StreamingHttpResponse:
    """Return entries, results or standings as a file, all or those of the stage or group in the query."""
    competition = find_competition(kind, slug, current_player(request))
    export, chosen = parse_export(what, form)
    REQUESTS["exports"].of(client_network(request)).spend()
    part = {name: asked_number(request, name) for name in ("stage", "group")}
    chunks = export_competition(competition=competition, what=export, form=chosen, **part)
    return StreamingHttpResponse(
        stream(request, chunks),
        content_type=chosen.content_type,
        headers={"Content-Disposition": f'attachment; filename="{competition.slug}-{what}.{form}"'},
    )
