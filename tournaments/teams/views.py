"""The pages of teams: their list, their own pages, and what captains and members do."""

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from database.clock import current_moment
from players.current_player import current_player, require_player
from players.models import Player
from players.selectors import find_any_player
from players.views.buttons import button, own_form
from tournaments.models import MembershipStatus, ShirtPattern, Team
from tournaments.office.views import topics_of
from tournaments.records.competitions import entries_of_team
from tournaments.tables.selectors.titles import titles_of_team
from tournaments.teams.errors import NotTheCaptain
from tournaments.teams.forms import InviteForm, TeamForm
from tournaments.teams.selectors.teams import (
    find_membership,
    find_team,
    former_members_of,
    invitations_of_team,
    list_teams,
    members_of,
    teams_after,
)
from tournaments.teams.services.members import (
    accept_team_invitation,
    decline_team_invitation,
    invite_to_team,
    leave_team,
    remove_member,
    withdraw_team_invitation,
)
from tournaments.teams.services.teams import change_team, close_team, found_team, hand_over_team
from web.errors import DomainError

PAGE = 50
MAX_FORMER = 30
MAX_ENTRIES = 30
SHIRTS = [Team(pattern=each) for each in ShirtPattern]
"""A shirt of each pattern, for the preview of what is chosen."""


@never_cache
@require_safe
def all_teams(request: HttpRequest) -> HttpResponse:
    """List the teams by name, page by page; ``?after=`` is the last one of the page before."""
    after = request.GET.get("after", "")
    teams = list((teams_after(after) if after else list_teams())[: PAGE + 1])
    context = {
        "section": "players",
        "teams": teams[:PAGE],
        "is_first": not after,
        "next": teams[PAGE - 1].slug if len(teams) > PAGE else "",
        "can_found": request.user.is_authenticated and not request.user.is_guest,
    }
    return TemplateResponse(request, "tournaments/teams/all.html", context)


@own_form
def found(request: HttpRequest) -> HttpResponse:
    """Ask for a name and a shirt, and found a team with them."""
    form = TeamForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            team = found_team(captain=require_player(request), now=current_moment(), **form.cleaned_data)
        except DomainError as refusal:
            form.show(refusal)
        else:
            messages.success(request, _("Your team has been created. Now invite its members."))
            return redirect(team)
    context = {"section": "players", "form": form, "shirts": SHIRTS}
    return TemplateResponse(request, "tournaments/teams/form.html", context, status=400 if form.errors else 200)


@never_cache
@require_safe
def team_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a team, also one that has been closed: its shirt, its members, and what the viewer can do there."""
    team = find_team(slug=slug)
    player = current_player(request)
    own = find_membership(team=team, player=player)
    is_captain = player is not None and team.closed_at is None and team.captain_id == player.pk
    entries = entries_of_team(team)[:MAX_ENTRIES]
    context = {
        "section": "players",
        "team": team,
        "topics": topics_of(*(entry.competition for entry in entries)),
        "members": members_of(team),
        "former": former_members_of(team)[:MAX_FORMER],
        "titles": titles_of_team(team),
        "entries": entries,
        "is_captain": is_captain,
        "is_member": own is not None and own.status == MembershipStatus.MEMBER,
        "invitation": own if own is not None and own.status == MembershipStatus.INVITED else None,
        "invited": invitations_of_team(team) if is_captain else [],
    }
    return TemplateResponse(request, "tournaments/teams/team.html", context)


@own_form
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask the captain for another name or shirt, and store them."""
    team, captain = _own_team(request, slug)
    stored = {name: getattr(team, name) for name in ("name", "pattern", "first_colour", "second_colour")}
    form = TeamForm(request.POST if request.method == "POST" else None, initial=stored)
    if form.is_valid():
        try:
            team = change_team(team_id=team.pk, actor=captain, **form.cleaned_data)
        except DomainError as refusal:
            form.show(refusal)
        else:
            messages.success(request, _("The team has been changed."))
            return redirect(team)
    context = {"section": "players", "team": team, "form": form, "shirts": SHIRTS}
    return TemplateResponse(request, "tournaments/teams/form.html", context, status=400 if form.errors else 200)


@own_form
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask the captain whom to invite, and invite them."""
    team, captain = _own_team(request, slug)
    form = InviteForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        player = form.cleaned_data["player"]
        try:
            invite_to_team(team_id=team.pk, player=player, actor=captain, now=current_moment())
        except DomainError as refusal:
            form.show(refusal)
        else:
            messages.success(request, _("%s has been invited.") % player)
            return redirect(team)
    context = {"section": "players", "team": team, "form": form}
    return TemplateResponse(request, "tournaments/teams/invite.html", context, status=400 if form.errors else 200)


@own_form
def close(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask the captain whether to close the team, and close it."""
    team, captain = _own_team(request, slug)
    if request.method == "POST":
        team = close_team(team_id=team.pk, actor=captain, now=current_moment())
        messages.success(request, _("The team has been closed."))
        return redirect(team)
    return TemplateResponse(request, "tournaments/teams/close.html", {"section": "players", "team": team})


@button
def answer(request: HttpRequest, slug: str) -> HttpResponse:
    """Accept or decline an invitation to a team, and go to its page."""
    team, player = find_team(slug=slug), require_player(request)
    if request.POST.get("answer") == "decline":
        decline_team_invitation(team_id=team.pk, player=player, now=current_moment())
        messages.success(request, _("You have declined the invitation."))
    else:
        accept_team_invitation(team_id=team.pk, player=player, now=current_moment())
        messages.success(request, _("You are now a member of %s.") % team)
    return redirect(team)


@button
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave a team, and go to its page."""
    team = find_team(slug=slug)
    leave_team(team_id=team.pk, player=require_player(request), now=current_moment())
    messages.success(request, _("You have left %s.") % team)
    return redirect(team)


def _remove(team: Team, player: Player, captain: Player) -> None:
    remove_member(team_id=team.pk, player=player, actor=captain, now=current_moment())


def _withdraw(team: Team, player: Player, captain: Player) -> None:
    withdraw_team_invitation(team_id=team.pk, player=player, actor=captain, now=current_moment())


def _hand_over(team: Team, player: Player, captain: Player) -> None:
    hand_over_team(team_id=team.pk, player=player, actor=captain, now=current_moment())


ACTS: dict[str, tuple[Callable[[Team, Player, Player], None], Promise | str]] = {
    "remove": (_remove, gettext_lazy("%s is no longer a member.")),
    "withdraw": (_withdraw, gettext_lazy("%s is no longer invited.")),
    "hand-over": (_hand_over, gettext_lazy("%s is the captain now.")),
}
"""The acts of a captain on one member or invited player, and their messages on the page."""


@button
def act_on_member(request: HttpRequest, slug: str, username: str, act: str) -> HttpResponse:
    """Do to a member or an invited player what the captain's button says, and go to the team's page."""
    team, player = find_team(slug=slug), find_any_player(username=username)
    if player is None or act not in ACTS:
        raise Http404
    perform, done = ACTS[act]
    perform(team, player, require_player(request))
    messages.success(request, str(done) % player)
    return redirect(team)


def _own_team(request: HttpRequest, slug: str) -> tuple[Team, Player]:
    """Return the team and its captain, who asks. Raises ``TeamNotFound`` or ``NotTheCaptain``, of closed teams too."""
    team, player = find_team(slug=slug), require_player(request)
    if team.captain_id != player.pk or team.closed_at is not None:
        raise NotTheCaptain(_("Only the captain of the team can do this."))
    return team, player
