"""Enter teams into competitions."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.entries.errors import WrongCompetitionPassword
from tournaments.entries.services.admission import admit_entries, check_admission, match_password
from tournaments.entries.services.kept_places import old_line_ups, store_in_old_place
from tournaments.entries.services.line_ups import check_line_up
from tournaments.entries.services.new_invitations import invite_team
from tournaments.models import Competition, Entry, EntryInvitation, InvitationStatus, LineUp, Team
from tournaments.office.selectors.invitations import is_asked_first
from tournaments.office.services.after_commit import notify_start
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.office.services.option_versions import check_conditions
from tournaments.running.errors import AlreadyEntered
from tournaments.running.selectors.entry_conditions import find_team_invitation, reasons_not_to_enter_team
from tournaments.running.services.catch_up import catch_up, lock_for_organiser
from tournaments.running.services.entry_rows import make_entry
from tournaments.teams.errors import InvalidLineUp, NotTheCaptain, TeamNotFound
from tournaments.teams.selectors.line_ups import usual_line_up
from tournaments.teams.services.locks import check_open


def enter_team(
    *,
    competition_id: int,
    team_id: int,
    players: Sequence[int] | None,
    actor: Player,
    now: datetime,
    password: str = "",
    client_ip: str = "",
    version: int | None = None,
) -> Entry:
    """Let a captain enter the team, and return its entry.

    A captain who was invited with the team accepts by it, and needs no password.

    ``players`` are the ids of members, that of the first board first: this order holds until there is a line-up. If
    nobody is named, those sit there who did before all were asked again, or else the longest members. ``version`` is
    the ``options_version`` that was read, ``None`` for whatever there is. Raises ``TeamNotFound``, ``TeamClosed``,
    ``NotTheCaptain``, the first of ``reasons_not_to_enter_team``, ``WrongCompetitionPassword``, ``TooManyAttempts``,
    ``InvalidLineUp``, ``OptionsChanged`` where conditions have changed since that version, or ``CompetitionNotFound``.
    """
    matched = match_password(competition_id=competition_id, player=actor, password=password, client_ip=client_ip)
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        catch_up(competition=competition, now=now)
        team = _find_team(team_id)
        if team.captain_id != actor.pk:
            raise NotTheCaptain(_("Only the captain of the team can do this."))
        for reason in reasons_not_to_enter_team(competition=competition, team=team, captain=actor):
            raise reason
        invitation = find_team_invitation(competition=competition, team=team)
        if invitation is None and matched != competition.password:
            raise WrongCompetitionPassword(_("This is not the password of the competition."))
        check_conditions(competition=competition, version=version)
        old = old_line_ups(invitation) if players is None else {}
        entry, order = _make_entry(competition, team, old.get(0, players), now)
        store_in_old_place(competition=competition, entry=entry, invitation=invitation, now=now)
        LineUp.objects.bulk_create(
            LineUp(entry=entry, round_number=number, players=sitting, set_by=actor, set_at=now)
            for number, sitting in {**old, 0: order}.items()
        )
        action = "joined"
        if invitation is not None and invitation.status != InvitationStatus.ACCEPTED:
            action, invitation.status, invitation.answered_at = "invitation-accepted", InvitationStatus.ACCEPTED, now
            invitation.save(update_fields=["status", "answered_at"])
        log_action(competition=competition, action=action, actor=actor, subject=str(entry), now=now)
        if competition.starts_with_entries:
            notify_start(competition_id=competition.pk)
    return entry


def admit_team(
    *, competition_id: int, team_id: int, players: Sequence[int] | None, actor: Player, now: datetime, reason: str = ""
) -> Entry | EntryInvitation:
    """Let an organiser enter a team, whatever the limit on number and the password, or invite one; return which.

    A captain who has to be asked first is invited, and names the players. Another one is told; a draw that was made is
    forgotten. Without ``players`` the longest members sit at the boards. A captain who is invited already is not asked
    again. Raises ``NotAnOrganiser``, ``TeamNotFound``, ``TeamClosed``, ``SinglePlayersOnly``, ``AlreadyEntered``,
    ``EntryClosed``, ``InvalidLineUp``, ``InvitationDeclined`` or ``TooManyEntryInvitations``.
    """
    with transaction.atomic():
        competition = lock_for_organiser(competition_id=competition_id, actor=actor, now=now)
        team = _find_team(team_id)
        for refusal in reasons_not_to_enter_team(competition=competition, team=team, captain=team.captain):
            if competition.boards is None or isinstance(refusal, AlreadyEntered):
                raise refusal
        check_admission(competition=competition)
        if is_asked_first(player=team.captain, actor=actor):
            return invite_team(competition=competition, team=team, actor=actor, reason=reason, now=now)
        entry, order = _make_entry(competition, team, players, now)
        admit_entries(competition=competition, entries=[entry], actor=actor, now=now)
        LineUp.objects.create(entry=entry, players=order, set_by=actor, set_at=now)
        log_action(competition=competition, action="entered", actor=actor, about=entry, reason=reason, now=now)
    return entry


def _make_entry(
    competition: Competition, team: Team, players: Sequence[int] | None, now: datetime
) -> tuple[Entry, list[int]]:
    """Return a new entry of a team, not stored, and who sits at its boards at first. Raises ``InvalidLineUp``."""
    entry = make_entry(competition=competition, player=team.captain, now=now, is_there=True)
    entry.team, entry.competition = team, competition
    order = usual_line_up(entry) if players is None else [*players]
    if players is None and not order:
        raise InvalidLineUp(_("All members of %(team)s play for another team in this competition.") % {"team": team})
    check_line_up(entry=entry, players=order)
    return entry, order


def _find_team(team_id: int) -> Team:
    """Return an open team with its captain, which stays so until the transaction ends."""
    team = (
        Team.objects.select_for_update(of=("self",), no_key=True).select_related("captain").filter(pk=team_id).first()
    )
    if team is None:
        raise TeamNotFound(_("There is no such team."))
    check_open(team)
    return team
