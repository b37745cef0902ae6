"""The buttons and the page on which invited players answer."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from database.clock import current_moment
from players.current_player import require_player
from players.models import Player
from players.views.buttons import button
from tournaments.entries.services.invitations import accept_invitation, decline_invitation
from tournaments.models import (
    Competition,
    Entry,
    InvitationStatus,
    MembershipStatus,
    RoleInvitation,
    Team,
    TeamMembership,
)
from tournaments.models.rights import Role
from tournaments.office.selectors.role_invitations import get_role_invitation
from tournaments.office.sentences import competition_format_text, list_facts
from tournaments.office.services.invitation_links import read_invitation_link, read_role_link
from tournaments.office.services.role_invitations import accept_role, decline_role
from tournaments.office.views import find_competition, sent_number
from tournaments.teams.selectors.teams import find_team
from tournaments.teams.services.mails import read_team_invitation_link
from tournaments.teams.services.members import accept_team_invitation, decline_team_invitation
from web.errors import DomainError
from web.problems import STATUS_OF_CODE


@button
def answer(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Accept or decline an invitation, and go to the competition's page, or to the line-up of a team that joins."""
    player = require_player(request)
    competition = find_competition(kind, slug, player)
    named = request.POST.get("team", "")
    team = find_team(slug=named) if named else None
    done, entry = _give_answer(request, competition, player, team)
    messages.success(request, done)
    if entry is None or entry.team is None:
        return redirect(competition)
    return redirect(entry.get_line_up_url())


@button
def answer_role(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Accept or decline to run a competition, and go to its desk, or home."""
    invitation = get_role_invitation(player=require_player(request), slug=slug)
    messages.success(request, _answer_role(request, invitation))
    is_accepted = invitation.status == InvitationStatus.ACCEPTED
    return redirect(invitation.competition.get_desk_url() if is_accepted else "home")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def answer_by_mail(request: HttpRequest, token: str) -> HttpResponse:
    """Ask the player to whom a link was mailed, and take the answer. Programs that look at links answer nothing."""
    membership = read_team_invitation_link(token)
    if membership is not None:
        return _answer_team(request, membership)
    offered = read_role_link(token)
    if offered is not None:
        return _answer_offer(request, offered)
    page, invitation = "tournaments/invitation.html", read_invitation_link(token)
    if invitation is None:
        return render(request, page, status=404)
    competition = invitation.competition
    context = {
        "invitation": invitation,
        "competition": competition,
        "format": competition_format_text(competition),
        "facts": list_facts(competition),
    }
    if request.method != "POST":
        return render(request, page, context)
    try:
        done, _entry = _give_answer(request, competition, invitation.player, invitation.team)
        return render(request, page, {**context, "done": done})
    except DomainError as refusal:
        return render(request, page, {**context, "refusal": refusal}, status=STATUS_OF_CODE[refusal.code])


def _answer_team(request: HttpRequest, membership: TeamMembership) -> HttpResponse:
    """Ask the player who is invited to a team, or take the answer; only the invitation of the link is answered."""
    page, context = "tournaments/teams/invitation.html", {"membership": membership, "team": membership.team}
    if request.method != "POST" or membership.status != MembershipStatus.INVITED:
        return render(request, page, context)
    team, player, now = membership.team, membership.player, current_moment()
    try:
        if request.POST.get("answer") == "decline":
            decline_team_invitation(team_id=team.pk, player=player, now=now)
            return render(request, page, {**context, "done": _("You have declined the invitation.")})
        accept_team_invitation(team_id=team.pk, player=player, now=now)
    except DomainError as refusal:
        return render(request, page, {**context, "refusal": refusal}, status=STATUS_OF_CODE[refusal.code])
    return render(request, page, {**context, "done": _("You are now a member of %s.") % team})


def _answer_offer(request: HttpRequest, invitation: RoleInvitation) -> HttpResponse:
    """Ask the player who is to run a competition, or take the answer."""
    page, competition = "tournaments/role_invitation.html", invitation.competition
    context = {"invitation": invitation, "competition": competition, "format": competition_format_text(competition)}
    if request.method != "POST":
        return render(request, page, context)
    try:
        return render(request, page, {**context, "done": _answer_role(request, invitation)})
    except DomainError as refusal:
        return render(request, page, {**context, "refusal": refusal}, status=STATUS_OF_CODE[refusal.code])


def _answer_role(request: HttpRequest, invitation: RoleInvitation) -> str:
    """Store the answer that was sent, and return what to say then."""
    if request.POST.get("answer") == "decline":
        decline_role(invitation=invitation, now=current_moment())
        return _("You have declined the invitation.")
    if accept_role(invitation=invitation, now=current_moment()) is Role.ORGANISER:
        return _("You are now an organiser of %s.") % invitation.competition
    return _("You are now a helper of %s.") % invitation.competition


def _give_answer(
    request: HttpRequest, competition: Competition, player: Player, team: Team | None
) -> tuple[str, Entry | None]:
    """Store the answer that was sent, and return what to say then, and the entry of who has accepted."""
    if request.POST.get("answer") == "decline":
        decline_invitation(competition_id=competition.pk, player=player, team=team, now=current_moment())
        return _("You have declined the invitation."), None
    entry = accept_invitation(
        competition_id=competition.pk,
        player=player,
        team=team,
        now=current_moment(),
        version=sent_number(request, "version"),
    )
    if entry.team is None:
        return _("You have joined."), entry
    return _("%s has joined. You can change its line-up until the first round begins.") % entry, entry
