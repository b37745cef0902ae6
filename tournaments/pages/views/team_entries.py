"""The pages on which captains enter their teams in a cup, and name their line-ups."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from database.clock import current_moment
from players.current_player import require_player
from players.models import Player
from players.views.buttons import own_form
from tournaments.entries.services.line_ups import set_line_up
from tournaments.entries.services.team_entries import enter_team
from tournaments.models import ENDED, Competition, CompetitionStatus, Team
from tournaments.office.views import asked_number, find_competition, sent_number
from tournaments.running.errors import SinglePlayersOnly
from tournaments.running.selectors.entry_conditions import find_team_invitation
from tournaments.teams.forms import LineUpForm
from tournaments.teams.selectors.line_ups import (
    coming_line_up_rounds,
    coming_rounds_of,
    entries_led_by,
    line_ups_in_force,
    teams_to_enter,
)
from tournaments.teams.selectors.teams import members_of
from web.errors import DomainError
from web.requests.client_ip import client_network


@own_form
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask a captain who sits at which board at first, and enter the team: that in ``?team=``, or the first one."""
    captain = require_player(request)
    cup = _find_cup_of_teams(slug, captain)
    teams = teams_to_enter(competition=cup, captain=captain)
    chosen = [each for each in teams if each.slug == request.GET.get("team", teams[0].slug if teams else "")]
    if not chosen:
        raise Http404
    is_invited = find_team_invitation(competition=cup, team=chosen[0]) is not None
    form = _form(request, cup, chosen[0], asks_password=bool(cup.password) and not is_invited)
    if form.is_valid():
        try:
            enter_team(
                competition_id=cup.pk,
                team_id=chosen[0].pk,
                players=form.players,
                actor=captain,
                password=form.cleaned_data.get("password", ""),
                client_ip=client_network(request),
                now=current_moment(),
                version=sent_number(request, "version"),
            )
        except DomainError as refusal:
            form.show(refusal)
        else:
            messages.success(request, _("%s has joined.") % chosen[0])
            return redirect(cup)
    context = {"competition": cup, "team": chosen[0], "teams": teams, "form": form}
    return _answer(request, "tournaments/teams/enter.html", context, form)


@own_form
def line_up(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask a captain who sits at which board from the round in ``?round=`` on, else from the next one to begin.

    Of several teams it is that in ``?team=``, or the first one.
    """
    captain = require_player(request)
    cup = _find_cup_of_teams(slug, captain)
    led = entries_led_by(competition=cup, captain=captain)
    asked = request.GET.get("team")
    entry = next((each for each in led if each.team is not None and asked in {None, each.team.slug}), None)
    if entry is None or entry.team is None:
        raise Http404
    numbers = coming_line_up_rounds(entry)
    if not numbers:
        # The last round has begun.
        return redirect(cup)
    number = asked_number(request, "round") or numbers[0]
    if number not in numbers:
        raise Http404
    holds = line_ups_in_force([entry.pk], number=number).get(entry.pk)
    form = _form(request, cup, entry.team, players=holds.players if holds else ())
    if form.is_valid():
        try:
            set_line_up(
                entry_id=entry.pk, round_number=number, players=form.players, actor=captain, now=current_moment()
            )
        except DomainError as refusal:
            form.show(refusal)
        else:
            messages.success(request, _("The line-up from round %d on is set.") % number)
            return redirect(f"{entry.get_line_up_url()}&round={number}")
    is_own = holds is not None and holds.round_number == number
    context = {
        "competition": cup,
        "team": entry.team,
        "teams": [each.team for each in led],
        "form": form,
        "number": number,
        "numbers": numbers,
        "is_own": is_own,
        "is_named_by_viewer": holds is not None and holds.set_by_id == captain.pk,
        "since": holds.round_number if holds else 0,
    }
    return _answer(request, "tournaments/teams/line_up.html", context, form)


def team_context(cup: Competition, player: Player | None) -> dict[str, Any]:
    """Return what the page of a cup of teams offers a captain; nothing on other pages. Two queries at most.

    There is no URL of the line-up of a team once its last round has begun.
    """
    if cup.boards is None or player is None or cup.status in ENDED:
        return {}
    led = entries_led_by(competition=cup, captain=player)
    if led:
        coming = coming_rounds_of([each.pk for each in led])
        return {"led": [(each, each.get_line_up_url() if coming[each.pk] else "") for each in led]}
    if cup.status == CompetitionStatus.OPEN and teams_to_enter(competition=cup, captain=player):
        return {"enter_team_url": reverse("cup-enter-team", args=[cup.slug])}
    return {}


def _find_cup_of_teams(slug: str, player: Player) -> Competition:
    """Return a cup of teams. Raises ``CompetitionNotFound`` or ``SinglePlayersOnly``."""
    competition = find_competition("cup", slug, player)
    if competition.boards is None:
        raise SinglePlayersOnly(_("Only single players can join this competition, not teams."))
    return competition


def _form(
    request: HttpRequest, cup: Competition, team: Team, *, players: Any = (), asks_password: bool = False
) -> LineUpForm:
    return LineUpForm(
        request.POST if request.method == "POST" else None,
        boards=cup.boards or 0,
        members=[each.player for each in members_of(team)],
        players=players,
        asks_password=asks_password,
    )


def _answer(request: HttpRequest, template: str, context: dict[str, Any], form: LineUpForm) -> HttpResponse:
    return TemplateResponse(request, template, context, status=400 if form.errors else 200)
