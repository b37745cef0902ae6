"""Find out who runs which competition, and with which rights; nothing else decides that."""

from collections.abc import Collection

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet, Value
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.models import Player
from tournaments.models import (
    ENDED,
    SITTING,
    Competition,
    CompetitionStatus,
    Dispute,
    Entry,
    EntryInvitation,
    EntryStatus,
    Fixture,
    LogEntry,
    MembershipStatus,
    Round,
    TeamMembership,
)
from tournaments.models.dispute import OPEN
from tournaments.models.log import OF_OUTAGES
from tournaments.models.rights import NO_RIGHTS, RIGHTS, Right, Role, roles_with
from tournaments.office.errors import EntryNotFound, FixtureNotFound, InvitationNotFound, NotAnOrganiser
from tournaments.records.competitions import list_competitions, with_details, with_first_stage
from tournaments.records.errors import NO_COMPETITION, CompetitionNotFound
from tournaments.records.stages import find_group, round_in

PEOPLE = {Role.ORGANISER: "organisers", Role.HELPER: "helpers"}
"""The field of ``Competition`` that has the players of a role."""

COMPETITIONS = {Role.ORGANISER: "organised_competitions", Role.HELPER: "helped_competitions"}
"""The same, seen from ``Player``."""

FOR_ORGANISERS = gettext_lazy("Only the organisers of this competition may do this.")


def competitions_run_by(*, player: Player | AnonymousUser, right: Right) -> QuerySet[Competition]:
    """Return the competitions in which the player has a right; all for a superuser."""
    if not isinstance(player, Player) or not player.is_active:
        return Competition.objects.none()
    if player.is_superuser:
        return Competition.objects.all()
    own = Q()
    for role in roles_with(right):
        own |= Q(pk__in=Competition.objects.filter(**{PEOPLE[role]: player}).values("pk"))
    return Competition.objects.filter(own)


def role_in(*, competition: Competition, player: Player | AnonymousUser | None) -> Role | None:
    """Return the player's part in running the competition, ``None`` for who has none. One query at most."""
    if not isinstance(player, Player) or not player.is_active:
        return None
    if player.is_superuser:
        return Role.ORGANISER
    member = Player.objects.filter(pk=player.pk)
    parts = {role.value: Exists(member.filter(**{COMPETITIONS[role]: OuterRef("pk")})) for role in Role}
    found = Competition.objects.filter(pk=competition.pk).order_by().annotate(**parts).values_list(*parts)
    return next((role for row in found for role, is_theirs in zip(Role, row, strict=True) if is_theirs), None)


def rights_in(*, competition: Competition, player: Player | AnonymousUser | None) -> frozenset[Right]:
    """Return what the player may do in the competition that not everybody may."""
    role = role_in(competition=competition, player=player)
    return NO_RIGHTS if role is None else RIGHTS[role]


def may_see(*, competition: Competition, player: Player | AnonymousUser | None) -> bool:
    """Return whether the competition exists for the player, or for a visitor.

    A draft, and what is hidden, does for its organisers and helpers alone.
    """
    if competition.status != CompetitionStatus.DRAFT and competition.hidden_at is None:
        return True
    return role_in(competition=competition, player=player) is not None


def find_competition(slug: str, viewer: Player | None = None) -> Competition:
    """Return the competition with its ladder or cup and its number of entrants.

    Raises ``CompetitionNotFound``, for drafts too unless the viewer organises them.
    """
    competition = with_details(list_competitions(drafts=True)).filter(slug=slug).first()
    if competition is None or not may_see(competition=competition, player=viewer):
        raise CompetitionNotFound(NO_COMPETITION)
    return competition


def check_organiser(
    *, competition: Competition, player: Player | AnonymousUser | None, right: Right = Right.ORGANISE
) -> None:
    """Raise ``NotAnOrganiser`` unless the player has the right in the competition; without a player the rules act."""
    if player is None:
        return
    _check_rights(rights_in(competition=competition, player=player), right)


def _check_rights(rights: frozenset[Right], right: Right) -> None:
    if not rights:
        raise NotAnOrganiser(FOR_ORGANISERS)
    if right not in rights:
        raise NotAnOrganiser(_("Helpers can only decide matches. Ask an organiser to do this."))


def check_decider(*, competition: Competition, fixture: Fixture, player: Player | None) -> None:
    """Raise ``NotAnOrganiser`` unless the player may decide this match: helpers do not decide their own.

    The fixture was read with its entries. Without a player the rules act.
    """
    if player is None:
        return
    rights = rights_in(competition=competition, player=player)
    if Right.DECIDE in rights and Right.DECIDE not in rights_to(subject=fixture, player=player, rights=rights):
        raise NotAnOrganiser(_("You play in this match. Ask an organiser or another helper to decide it."))
    if Right.DECIDE not in rights:
        raise NotAnOrganiser(FOR_ORGANISERS)


def rights_to(*, subject: object, player: Player | AnonymousUser | None, rights: frozenset[Right]) -> frozenset[Right]:
    """Return which of a player's rights in a competition hold for something in it: no helper decides an own match."""
    if Right.ORGANISE in rights or not isinstance(subject, Fixture) or not isinstance(player, Player):
        return rights
    return NO_RIGHTS if _is_own(subject, player) else rights


def get_organised_competition(
    *, slug: str, player: Player | AnonymousUser, right: Right = Right.ORGANISE
) -> Competition:
    """Return the ladder or cup with this slug, in which the player has this right, with its forecast.

    Its ``is_disputed`` says whether a dispute of a result waits in it, ``was_forgiving`` whether losses on time were
    forgiven in it, and ``rights`` are those of the player.

    Raises ``NotAnOrganiser``, or ``CompetitionNotFound`` where there is nothing or what others alone see.
    """
    waits = Exists(Dispute.objects.filter(OPEN, fixture__competition=OuterRef("pk")))
    forgiving = Exists(LogEntry.objects.filter(OF_OUTAGES, competition=OuterRef("pk")))
    competitions = Competition.objects.select_related("forecast").annotate(is_disputed=waits, was_forgiving=forgiving)
    competition = with_first_stage(competitions).filter(slug=slug).first()
    if competition is None or not may_see(competition=competition, player=player):
        raise CompetitionNotFound(NO_COMPETITION)
    vars(competition)["rights"] = rights = rights_in(competition=competition, player=player)
    _check_rights(rights, right)
    return competition


def people_of(competition: Competition) -> list[tuple[Player, Role]]:
    """Return who runs the competition, organisers first, each by username. One query."""
    roles = [getattr(competition, PEOPLE[role]).annotate(role=Value(role.value)) for role in Role]
    found = roles[0].union(*roles[1:], all=True)
    return sorted(
        ((player, Role(player.role)) for player in found),
        key=lambda each: (each[1] is not Role.ORGANISER, each[0].username),
    )


def _is_own(fixture: Fixture, player: Player) -> bool:
    """Return whether a player plays a match, or is in one of the teams that meet. One query, for teams alone."""
    teams = [each.team_id for each in (fixture.yellow, fixture.red) if each.team_id is not None]
    members = TeamMembership.objects.filter(team__in=teams, player=player, status=MembershipStatus.MEMBER)
    return player.pk in fixture.player_ids or (bool(teams) and members.exists())


def get_entry(competition: Competition, entry_id: int) -> Entry:
    """Return the competition's entry with this number. Raises ``EntryNotFound``."""
    entry = _entries_of(competition).filter(pk=entry_id).first()
    if entry is None:
        raise EntryNotFound(_("There is no such entry in this competition."))
    return entry


def get_entries(competition: Competition, numbers: Collection[int]) -> list[Entry]:
    """Return those of these entries that the competition has, in one query."""
    return list(_entries_of(competition).filter(pk__in=numbers).order_by("pk"))


def _entries_of(competition: Competition) -> QuerySet[Entry]:
    return competition.entries.select_related("player", "team")


def entries_named(competition: Competition, part: str) -> QuerySet[Entry]:
    """Return the competition's entries of players whose usernames contain this, in any case, closed accounts too.

    Of teams the name counts. No more rows are looked at than have entered.
    """
    entries = Entry.objects.filter(competition_id=competition.pk)
    return entries.filter(Q(team__isnull=True, player__username__icontains=part) | Q(team__name__icontains=part))


def members_named(competition: Competition, part: str) -> QuerySet[Player]:
    """Return who is or was a member of a team in the competition and whose username contains this, in any case.

    No more rows are looked at than these teams have had members.
    """
    memberships = TeamMembership.objects.filter(team__entries__competition=competition.pk)
    return Player.objects.filter(pk__in=memberships.values("player"), username__icontains=part)


def get_invitation(competition: Competition, invitation_id: int) -> EntryInvitation:
    """Return the competition's invitation with this number. Raises ``InvitationNotFound``."""
    invited = EntryInvitation.objects.select_related("player", "team", "invited_by")
    invitation = invited.filter(competition_id=competition.pk, pk=invitation_id).first()
    if invitation is None:
        raise InvitationNotFound(_("There is no such invitation to this competition."))
    return invitation


def get_fixture(competition: Competition, fixture_id: int) -> Fixture:
    """Return the competition's fixture with this number. Raises ``FixtureNotFound``."""
    fixture = _fixtures_of(competition).filter(pk=fixture_id).first()
    if fixture is None:
        raise FixtureNotFound(_("There is no such match in this competition."))
    return fixture


def get_fixtures(competition: Competition, numbers: Collection[int]) -> list[Fixture]:
    """Return those of these fixtures that the competition has, with what acts need of them, in one query."""
    return list(_fixtures_of(competition).filter(pk__in=numbers).order_by("pk"))


def _fixtures_of(competition: Competition) -> QuerySet[Fixture]:
    fixtures = Fixture.objects.select_related(*SITTING, "match", "round", "tie", "group__stage")
    return fixtures.filter(competition_id=competition.pk)


def competition_of(fixture_id: int) -> int:
    """Return the id of the competition in which a fixture is. Raises ``FixtureNotFound``."""
    competition_id = Fixture.objects.filter(pk=fixture_id).values_list("competition_id", flat=True).first()
    if competition_id is None:
        raise FixtureNotFound(_("There is no such match in a competition."))
    return competition_id


def competition_of_entry(entry_id: int) -> int:
    """Return the id of the competition in which an entry is. Raises ``EntryNotFound``."""
    competition_id = Entry.objects.filter(pk=entry_id).values_list("competition_id", flat=True).first()
    if competition_id is None:
        raise EntryNotFound(_("There is no such entry."))
    return competition_id


def get_round(competition: Competition, number: int, *, stage: int | None = None, group: int | None = None) -> Round:
    """Return the round of a group with this number: of the group that ``find_group`` finds by what is given.

    Raises ``GroupNotFound`` and ``RoundNotFound``.
    """
    return round_in(find_group(competition, stage=stage, group=group), number)


def entries_of_closed_accounts(competition: Competition, *, limit: int) -> list[Entry]:
    """Return entrants of a running cup whose accounts were closed and whom nobody replaces, latest first.

    Those of ladders have left them, where nobody replaces anybody.
    """
    if competition.status in ENDED or competition.is_endless:
        return []
    closed = Entry.objects.filter(competition_id=competition.pk, team=None, player__is_active=False).exclude(
        status=EntryStatus.REPLACED
    )
    return list(closed.select_related("player").order_by("-player__closed_at", "-pk")[:limit])
