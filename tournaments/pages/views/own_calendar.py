"""The calendar of a player's own deadlines, for everybody who knows its secret URL."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_safe

from matches.models import Match
from players.api.authentication import GUESSES
from players.models import Player, Scope
from players.selectors import find_token
from players.services import note_use
from tournaments.models import Round
from tournaments.office.stage_names import name_round
from tournaments.pages.selectors.own_deadlines import matches_to_move, rounds_to_end
from tournaments.pages.views.calendar_files import CalendarFile
from web.limits.allowances import spend_allowance
from web.requests.client_ip import client_network


@never_cache
@sensitive_variables("secret")
@require_safe
def deadlines(request: HttpRequest, secret: str) -> HttpResponse:
    """Return by when the player of a token has to move, and when their rounds end, as an iCalendar file.

    The token needs the scope ``calendar``: what stands in a URL opens nothing else.
    """
    now = timezone.now()
    found = find_token(secret=secret, now=now)
    if found is None or Scope.CALENDAR not in found.scopes:
        GUESSES.spend(client_network(request))
        raise Http404
    spend_allowance(scope="exports", who=f"calendar-{found.pk}")
    note_use(token=found, now=now)
    return HttpResponse(
        _write(found.player),
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="deadlines.ics"'},
    )


def _write(player: Player) -> bytes:
    calendar = CalendarFile(_("Kickabout: %(player)s") % {"player": player.username})
    for match in matches_to_move(player):
        _add_match(calendar, match, player)
    for round_ in rounds_to_end(player):
        _add_round(calendar, round_)
    return bytes(calendar)


def _add_match(calendar: CalendarFile, match: Match, player: Player) -> None:
    if match.deadline is None:
        return
    opponent = match.red if match.yellow_id == player.pk else match.yellow
    calendar.add(
        key=f"match-{match.pk}",
        title=_("Your time against %(opponent)s runs out") % {"opponent": opponent.username},
        path=f"/matches/{match.pk}/",
        begins=match.deadline,
        revision=match.ply + match.extensions,
        changed_at=match.changed_at,
    )


def _add_round(calendar: CalendarFile, round_: Round) -> None:
    competition = round_.group.stage.competition
    if round_.ends_at is None:
        return
    facts = {"competition": competition.name, "round": name_round(round_)}
    calendar.add(
        key=f"round-{round_.pk}",
        title=_("%(competition)s: %(round)s must end") % facts,
        path=competition.get_absolute_url(),
        begins=round_.ends_at,
        revision=vars(round_)["revision"],
        changed_at=vars(round_)["changed_at"],
    )
