"""Ask players, and captains of teams, whom organisers would enter."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.entries.services.kept_places import kept_of
from tournaments.models import (
    Competition,
    CompetitionStatus,
    EntryInvitation,
    InvitationStatus,
    Team,
    WaitingPlayer,
)
from tournaments.office.errors import InvitationDeclined, InvitationOver
from tournaments.office.selectors.invitations import DAY, unanswered_in
from tournaments.office.selectors.organisers import check_organiser
from tournaments.office.services.invitation_counts import count_invitations
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.rounds.services.consequences import Consequences
from tournaments.rounds.services.draws import undo_draw
from tournaments.running.selectors.agreed_players import entered_by_others, waiting_by_others
from tournaments.running.services.before_start import name_some
from tournaments.running.services.numbers import remove_entries

ASKED = ("status", "answered_at", "invited_by", "created_at", "asked_at", "replaces", "kept")
"""What a question writes to an invitation that is made anew."""


def invite_players(
    *,
    competition: Competition,
    players: Collection[Player],
    actor: Player,
    now: datetime,
    reason: str = "",
    is_limited: bool = True,
) -> list[EntryInvitation]:
    """Invite players who may enter, and return their invitations; the caller holds the competition's lock.

    Those of a draft are asked when it is opened for entry. A player who was asked within a day, and whose invitation
    was withdrawn since, is invited again without another question. Invitations by the rules in the actor's name are
    not limited. Raises ``InvitationDeclined`` or ``TooManyEntryInvitations``.
    """
    if not players:
        return []
    known = {
        each.player_id: each
        for each in EntryInvitation.objects.filter(competition=competition, player__in=players, team=None)
    }
    for player in players:
        if player.pk in known and known[player.pk].status == InvitationStatus.DECLINED:
            raise InvitationDeclined(
                _("%(player)s has declined. They can still join by themselves.") % {"player": player}
            )
    waiting = {key for key, each in known.items() if each.status == InvitationStatus.WAITING}
    asked = [player for player in players if player.pk not in waiting]
    if is_limited:
        count_invitations(organiser=actor, number=len(asked), now=now)
    is_draft = competition.status == CompetitionStatus.DRAFT
    new: list[EntryInvitation] = []
    again: list[EntryInvitation] = []
    news = []
    for player in asked:
        invitation = known.get(player.pk) or EntryInvitation(competition_id=competition.pk, player=player)
        if _ask(invitation, actor, now, is_draft=is_draft):
            news.append(player)
        (new if invitation.pk is None else again).append(invitation)
        known[player.pk] = invitation
    EntryInvitation.objects.bulk_create(new)
    EntryInvitation.objects.bulk_update(again, ASKED, batch_size=250)
    if news and not is_draft:
        _log_invited(competition, news, actor, reason, now)
    return [known[player.pk] for player in players]


def invite_team(
    *, competition: Competition, team: Team, actor: Player, now: datetime, reason: str = ""
) -> EntryInvitation:
    """Invite a team that may enter by asking its captain, and return the invitation, as ``invite_players`` does.

    The caller holds the locks of the competition and the team. Raises ``InvitationDeclined`` or
    ``TooManyEntryInvitations``.
    """
    invitation = EntryInvitation.objects.filter(competition=competition, team=team).first()
    if invitation is not None and invitation.status == InvitationStatus.WAITING:
        return invitation
    if invitation is not None and invitation.status == InvitationStatus.DECLINED:
        raise InvitationDeclined(
            _("The captain of %(team)s has declined. They can still enter the team.") % {"team": team}
        )
    count_invitations(organiser=actor, number=1, now=now)
    is_draft = competition.status == CompetitionStatus.DRAFT
    invitation = invitation or EntryInvitation(competition_id=competition.pk, team=team)
    invitation.player = team.captain
    is_news = _ask(invitation, actor, now, is_draft=is_draft)
    invitation.save()
    if is_news and not is_draft:
        _log_invited_team(competition, invitation, actor, reason, now)
    return invitation


def ask_entrants_again(*, competition: Competition, actor: Player, now: datetime) -> None:
    """Invite those who have entered a competition that has not started, or wait for a place, in place of that.

    Who runs it stays in, and so do computers; a draw that was made is forgotten. Whoever accepts has the old place,
    lot, seed by hand and line-up, and until they have answered or the start nobody else gets the place. The caller
    holds the competition's lock, and tells them.
    """
    undo_draw(competition=competition, actor=actor, now=now)
    entries = list(entered_by_others(competition).select_related("player", "team__captain"))
    waiting = waiting_by_others(competition)
    kept = kept_of(entries)
    asked = [(each.player if each.team is None else each.team.captain, each.team, kept[each.pk]) for each in entries]
    asked += [(each.player, None, {"waiting": each.pk}) for each in waiting]
    own = EntryInvitation.objects.filter(competition=competition)
    known = {each.team_id or -each.player_id: each for each in own}
    invitations = []
    for player, team, place in asked:
        key = -player.pk if team is None else team.pk
        invitation = known.get(key) or EntryInvitation(competition_id=competition.pk, team=team)
        _ask(invitation, actor, now, is_draft=False)
        invitation.player, invitation.asked_at, invitation.kept = player, now, place
        invitations.append(invitation)
    again = [each for each in invitations if each.pk is not None]
    EntryInvitation.objects.bulk_create([each for each in invitations if each.pk is None])
    EntryInvitation.objects.bulk_update(again, [*ASKED, "player"], batch_size=250)
    remove_entries(competition=competition, entries=entries)
    WaitingPlayer.objects.filter(pk__in=[each.pk for each in waiting]).delete()


def ask_again(*, competition_id: int, actor: Player, now: datetime, reason: str = "") -> Competition:
    """Ask whoever is invited and has not answered once more, unless they were asked within a day.

    Return the competition. Raises ``NotAnOrganiser``, ``InvitationOver`` where nobody is to be asked, or
    ``TooManyEntryInvitations``.
    """
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        check_organiser(competition=competition, player=actor)
        asked = _to_ask_again(competition, now)
        count_invitations(organiser=actor, number=len(asked), now=now)
        EntryInvitation.objects.filter(pk__in=[each.pk for each in asked]).update(
            invited_by=actor, created_at=now, asked_at=now
        )
        if players := [each.player for each in asked if each.team is None]:
            _log_invited(competition, players, actor, reason, now)
        for each in asked:
            if each.team is not None:
                _log_invited_team(competition, each, actor, reason, now)
    return competition


def what_follows_from_asking_again(*, competition_id: int, now: datetime) -> Consequences:
    """Return who would be asked once more. Raises ``InvitationOver`` where that is nobody."""
    asked = _to_ask_again(Competition.objects.get(pk=competition_id), now)
    return Consequences(more=(_("Asked again: %(names)s.") % {"names": name_some(asked)},))


def _to_ask_again(competition: Competition, now: datetime) -> list[EntryInvitation]:
    unanswered = unanswered_in(competition)
    if not unanswered:
        raise InvitationOver(_("Nobody is invited who has not answered."))
    asked = [each for each in unanswered if each.asked_at is not None and each.asked_at <= now - DAY]
    if not asked:
        raise InvitationOver(_("Everybody who has not answered was asked within 24 hours."))
    return asked


def ask_invited(*, competition: Competition, actor: Player | None, now: datetime) -> None:
    """Ask those who were invited to a draft, now that it is one no more. The caller holds the competition's lock."""
    waiting = EntryInvitation.objects.filter(competition=competition, status=InvitationStatus.WAITING, asked_at=None)
    invited = list(waiting.select_related("player", "team").order_by("pk"))
    waiting.update(asked_at=now)
    players = [each.player for each in invited if each.team is None]
    if players:
        _log_invited(competition, players, actor, "", now)
    for invitation in invited:
        if invitation.team is not None:
            _log_invited_team(competition, invitation, actor, "", now)


def _ask(invitation: EntryInvitation, actor: Player, now: datetime, *, is_draft: bool) -> bool:
    """Let an invitation, not stored yet, wait for its answer; return whether it has to be told."""
    is_recent = invitation.asked_at is not None and invitation.asked_at > now - DAY
    invitation.status, invitation.answered_at = InvitationStatus.WAITING, None
    invitation.invited_by, invitation.created_at, invitation.replaces, invitation.kept = actor, now, None, {}
    if is_recent:
        return False
    invitation.asked_at = None if is_draft else now
    return True


def _log_invited(
    competition: Competition, players: Collection[Player], actor: Player | None, reason: str, now: datetime
) -> None:
    subject = ", ".join(sorted(map(str, players))) if len(players) == 1 else str(len(players))
    log_action(
        competition=competition,
        action="invited",
        actor=actor,
        subject=subject,
        reason=reason,
        players=players,
        now=now,
    )


def _log_invited_team(
    competition: Competition, invitation: EntryInvitation, actor: Player | None, reason: str, now: datetime
) -> None:
    log_action(
        competition=competition,
        action="invited",
        actor=actor,
        subject=str(invitation),
        reason=reason,
        players=[invitation.player],
        team=invitation.team,
        now=now,
    )
