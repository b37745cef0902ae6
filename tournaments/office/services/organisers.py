"""Name who runs a competition, organisers and helpers, and let them go. Each of them hears of it."""

from collections.abc import Collection
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.models import Competition, InvitationStatus, RoleInvitation
from tournaments.models.rights import Role
from tournaments.office.errors import CannotOrganise, LastOrganiser, NotAnOrganiser, TooManyOrganisers
from tournaments.office.selectors.organisers import PEOPLE, check_organiser
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import Change, log_action
from tournaments.office.services.option_versions import count_version

NAMED = {Role.ORGANISER: "organiser-named", Role.HELPER: "helper-named"}
DISMISSED = {Role.ORGANISER: "organiser-gone", Role.HELPER: "helper-gone"}


def appoint(*, competition_id: int, player: Player, role: Role, actor: Player, now: datetime) -> None:
    """Let a player run a competition in a role from now on, in place of any other. Again has no effect.

    Raises ``NotAnOrganiser``, ``CannotOrganise`` for who is no person with an open account, ``TooManyOrganisers``, or
    ``LastOrganiser`` where nobody else would be left to organise it.
    """
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        check_organiser(competition=competition, player=actor)
        held = role_of(competition, player)
        if held is role:
            return
        check_account(player)
        if held is Role.ORGANISER:
            _check_dispensable(competition, player, actor)
        check_number(competition, player)
        waiting_for(competition, player).update(status=InvitationStatus.ACCEPTED)
        give_role(competition, player, held=held, role=role, actor=actor, now=now)


def dismiss(*, competition_id: int, player: Player, actor: Player, now: datetime) -> None:
    """Let a player organise a competition, or help in it, no more, and withdraw what they were asked.

    Again has no effect. Organisers let anybody go but who made the competition; everybody may go. Raises
    ``NotAnOrganiser`` or ``LastOrganiser``.
    """
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        held = role_of(competition, player)
        if player != actor or held is None:
            check_organiser(competition=competition, player=actor)
        if waiting_for(competition, player).update(status=InvitationStatus.WITHDRAWN):
            log_action(competition=competition, action="role-withdrawn", actor=actor, subject=str(player), now=now)
        if held is None:
            return
        if held is Role.ORGANISER:
            _check_dispensable(competition, player, actor)
        give_role(competition, player, held=held, role=None, actor=actor, now=now)


def change_organisers(
    *, competition: Competition, organisers: Collection[Player], actor: Player, now: datetime
) -> None:
    """Let these players, and no others, organise the competition from now on; helpers stay.

    The actor stays an organiser, so that nobody locks themselves out. A superuser organises every competition, and so
    need not be among them. Raises what ``appoint`` and ``dismiss`` raise.
    """
    kept = {*organisers} if actor.is_superuser else {*organisers, actor}
    with transaction.atomic():
        lock_competition(competition_id=competition.pk)
        before = set(competition.organisers.all())
        for player in sorted(kept - before, key=str):
            appoint(competition_id=competition.pk, player=player, role=Role.ORGANISER, actor=actor, now=now)
        for player in sorted(before - kept, key=str):
            dismiss(competition_id=competition.pk, player=player, actor=actor, now=now)


def give_role(
    competition: Competition,
    player: Player,
    *,
    held: Role | None,
    role: Role | None,
    actor: Player,
    now: datetime,
) -> None:
    """Take one role from a player, give another one, and log it; the caller has locked the competition.

    Organisers are part of the options' version.
    """
    before = _organisers_of(competition)
    if held is not None:
        getattr(competition, PEOPLE[held]).remove(player)
    if role is not None:
        getattr(competition, PEOPLE[role]).add(player)
    changes = []
    if Role.ORGANISER in {held, role}:
        count_version(competition=competition)
        changes = [Change(what=_("organisers"), old=before, new=_organisers_of(competition))]
    log_action(
        competition=competition,
        action=NAMED[role] if role is not None else DISMISSED[held or Role.HELPER],
        actor=actor,
        subject=str(player),
        players=(player,),
        changes=changes,
        now=now,
    )


def _organisers_of(competition: Competition) -> str:
    return ", ".join(competition.organisers.order_by("username").values_list("username", flat=True))


def role_of(competition: Competition, player: Player) -> Role | None:
    """Return the role that a player has been given in a competition, ``None`` for none."""
    return next((role for role in Role if getattr(competition, PEOPLE[role]).filter(pk=player.pk).exists()), None)


def waiting_for(competition: Competition, player: Player) -> QuerySet[RoleInvitation]:
    """Return the invitation to run a competition that the player has not answered."""
    return competition.role_invitations.filter(player=player, status=InvitationStatus.WAITING)


def check_number(competition: Competition, player: Player) -> None:
    """Raise ``TooManyOrganisers`` unless there is room for one more, besides those who have been asked."""
    people = [getattr(competition, PEOPLE[role]) for role in Role]
    asked = competition.role_invitations.filter(status=InvitationStatus.WAITING).exclude(player=player)
    known = {each for rows in people for each in rows.values_list("pk", flat=True)}
    if len((known | {*asked.values_list("player", flat=True)}) - {player.pk}) >= settings.MAX_ORGANISERS:
        most = settings.MAX_ORGANISERS
        raise TooManyOrganisers(
            _("A competition can have at most %(most)d organisers and helpers. Remove one first.") % {"most": most}
        )


def check_account(player: Player) -> None:
    """Raise ``CannotOrganise`` for who is no person with an open account."""
    if not player.is_active:
        raise CannotOrganise(_("The account %(player)s is closed.") % {"player": player})
    if player.is_guest or player.is_computer:
        raise CannotOrganise(_("Only players with an account of their own can organise or help."))


def _check_dispensable(competition: Competition, player: Player, actor: Player) -> None:
    """Raise a refusal where an organiser has to stay one."""
    if actor.is_superuser:
        return
    if player != actor and player.pk == competition.creator_id:
        raise NotAnOrganiser(
            _("%(player)s created this competition. Nobody else can remove them as an organiser.") % {"player": player}
        )
    if not competition.organisers.filter(is_active=True).exclude(pk=player.pk).exists():
        raise LastOrganiser(_("A competition needs an organiser. Add another organiser first."))
