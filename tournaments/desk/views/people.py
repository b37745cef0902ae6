"""The page on which organisers name helpers and other organisers, and let them go."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from database.clock import current_moment
from players.models import Player
from players.selectors import find_any_player
from players.views.buttons import own_form
from tournaments.desk.forms import OrganiserForm
from tournaments.desk.views.desk import frame, organised_competition, organiser_of
from tournaments.models.rights import Right
from tournaments.office.selectors.organisers import people_of
from tournaments.office.selectors.role_invitations import asks_first, invited_to_run
from tournaments.office.services.organisers import dismiss
from tournaments.office.services.role_invitations import appoint_or_invite
from web.errors import DomainError
from web.problems import STATUS_OF_CODE


@own_form
def organisers(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """List who runs the competition; name somebody, or let go the player whose button was pressed."""
    competition = organised_competition(request, slug, Right.DECIDE)
    actor, leaving = organiser_of(request), request.POST.get("dismiss", "")
    form = OrganiserForm(request.POST if request.method == "POST" and not leaving else None)
    context: dict[str, Any] = {
        **frame(request, competition),
        "tab": "organisers",
        "form": form,
        "asks": asks_first(actor),
    }
    status = 400 if form.errors else 200
    try:
        if (gone := find_any_player(username=leaving)) is not None:
            dismiss(competition_id=competition.pk, player=gone, actor=actor, now=current_moment())
            messages.success(request, _("%s no longer runs this competition.") % gone)
            return redirect(_page_after(competition.get_absolute_url(), gone, actor))
        if form.is_valid():
            named, role = form.cleaned_data["player"], form.cleaned_data["role"]
            asked = appoint_or_invite(
                competition_id=competition.pk, player=named, role=role, actor=actor, now=current_moment()
            )
            done = _("%s has been added and will be notified.") if asked is None else _("%s has been asked.")
            messages.success(request, done % named)
            return redirect(f"{competition.get_desk_url()}organisers/")
    except DomainError as refusal:
        context["refusal"], status = refusal, STATUS_OF_CODE[refusal.code]
    context["people"], context["asked"] = people_of(competition), invited_to_run(competition)
    return TemplateResponse(request, "tournaments/organise/organisers.html", context, status=status)


def _page_after(competition: str, player: Player, actor: Player) -> str:
    """Return where to go after somebody was let go: who has gone sees the organisers' pages no more."""
    return competition if player == actor else f"{competition}organise/organisers/"
