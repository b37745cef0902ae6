"""Found a team, change its name and shirt, hand it over to another captain, close it."""

from collections.abc import Mapping
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from players.models import Player
from players.services.budgets import spend_mails, spending_of
from players.services.name_changes import count_name_change
from tournaments.models import (
    ENDED,
    Entry,
    EntryInvitation,
    EntryStatus,
    InvitationStatus,
    MembershipStatus,
    ShirtColour,
    ShirtPattern,
    Team,
    TeamMembership,
)
from tournaments.models.team import MAX_TEAM_NAME
from tournaments.office.services.slugs import find_free_slug
from tournaments.teams.errors import InvalidTeam, NotAMember, TeamNameTaken, TeamPlayerRefused, TeamPlays, TooManyTeams
from tournaments.teams.selectors.teams import fold_team_name
from tournaments.teams.services.after_commit import notify_memberships, touch_memberships
from tournaments.teams.services.locks import lock_own_team
from tournaments.teams.services.mails import post_captaincy
from web.errors import InvalidDetails
from web.limits.table import TEAMS
from web.written_texts import clean_name, find_skeleton

MAX_TEAMS_OF_CAPTAIN = 5


def found_team(
    *, name: str, pattern: str, first_colour: str, second_colour: str, captain: Player, now: datetime
) -> Team:
    """Return a new team with its captain as the only member.

    Raises ``TeamPlayerRefused`` for guests, computers and closed accounts, ``TooManyTeams``, ``InvalidTeam``,
    ``TeamNameTaken`` or ``BudgetSpent``.
    """
    check_person(captain)
    wanted = _check(name, pattern, first_colour, second_colour)
    with spending_of(captain, TEAMS, now=now), transaction.atomic():
        # The player's own row is the lock of how many teams they lead.
        Player.objects.select_for_update(no_key=True).get(pk=captain.pk)
        if Team.objects.filter(captain=captain, closed_at=None).count() >= MAX_TEAMS_OF_CAPTAIN:
            raise TooManyTeams(_("You can be the captain of at most %(most)d teams.") % {"most": MAX_TEAMS_OF_CAPTAIN})
        slug = find_free_slug(wanted["name"], among=Team.objects.all(), otherwise="team")
        team = Team(slug=slug, captain=captain, created_at=now)
        _store(team, wanted)
        TeamMembership.objects.create(
            team=team, player=captain, status=MembershipStatus.MEMBER, invited_at=now, joined_at=now
        )
    return team


def change_team(*, team_id: int, name: str, pattern: str, first_colour: str, second_colour: str, actor: Player) -> Team:
    """Store another name and shirt and return the team; its URL stays. A name that stays is not checked again.

    Raises ``TeamNotFound``, ``NotTheCaptain``, ``TeamClosed``, ``InvalidTeam`` or ``TeamNameTaken``.
    """
    with transaction.atomic():
        team = lock_own_team(team_id=team_id, actor=actor)
        was_called = team.name
        _store(team, _check(name, pattern, first_colour, second_colour, kept=was_called))
        if team.name != was_called:
            touch_memberships(team=team)
            count_name_change()
    return team


def hand_over_team(*, team_id: int, player: Player, actor: Player, now: datetime) -> Team:
    """Make another member the captain, who is told by mail, and return the team.

    Raises ``TeamNotFound``, ``NotTheCaptain``, ``TeamClosed``, ``TeamPlayerRefused``, ``NotAMember``,
    ``TooManyTeams`` if the player leads as many as anybody may, or ``BudgetSpent``.
    """
    with transaction.atomic():
        team = lock_own_team(team_id=team_id, actor=actor)
        own = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        check_person(own)
        members = TeamMembership.objects.filter(team=team, status=MembershipStatus.MEMBER)
        if not members.filter(player=own).exists():
            raise NotAMember(_("%(player)s is not a member of %(team)s.") % {"player": player, "team": team})
        if Team.objects.filter(captain=own, closed_at=None).exclude(pk=team.pk).count() >= MAX_TEAMS_OF_CAPTAIN:
            raise TooManyTeams(
                _("%(player)s is already the captain of %(most)d teams.")
                % {"player": player, "most": MAX_TEAMS_OF_CAPTAIN}
            )
        spend_mails(actor, 1, now=now)
        make_captain(team=team, player_id=own.pk, now=now)
    return team


def make_captain(*, team: Team, player_id: int, now: datetime) -> None:
    """Make a member the captain, who answers the invitations of the team from now on, and is told so by mail.

    The caller holds the team's lock.
    """
    team.captain_id = player_id
    team.save(update_fields=["captain"])
    touch_memberships(team=team)
    EntryInvitation.objects.filter(team=team).update(player=player_id)
    post_captaincy(team=team, now=now)


def close_team(*, team_id: int, actor: Player, now: datetime) -> Team:
    """Close a team for good and end all memberships of it, and return it. Its matches stay.

    Raises ``TeamNotFound``, ``NotTheCaptain``, ``TeamClosed``, or ``TeamPlays`` while it is in a competition.
    """
    with transaction.atomic():
        team = lock_own_team(team_id=team_id, actor=actor)
        playing = Entry.objects.filter(team=team, status=EntryStatus.ACTIVE).exclude(competition__status__in=ENDED)
        if (entry := playing.select_related("competition").order_by("pk").first()) is not None:
            raise TeamPlays(
                _("%(team)s is playing in %(competition)s. Withdraw the team from it first.")
                % {"team": team, "competition": entry.competition}
            )
        end_team(team=team, now=now)
    return team


def end_team(*, team: Team, now: datetime) -> None:
    """Close a team, end all memberships of it and withdraw all invitations. The caller holds its lock."""
    team.closed_at = now
    team.save(update_fields=["closed_at"])
    open_ = TeamMembership.objects.filter(team=team, ended_at=None)
    notify_memberships(list(open_.values_list("pk", flat=True)))
    open_.filter(status=MembershipStatus.INVITED).update(status=MembershipStatus.WITHDRAWN, ended_at=now)
    open_.filter(status=MembershipStatus.MEMBER).update(status=MembershipStatus.LEFT, ended_at=now)
    invited = EntryInvitation.objects.filter(team=team, status=InvitationStatus.WAITING)
    invited.update(status=InvitationStatus.WITHDRAWN)


def check_person(player: Player) -> None:
    """Raise ``TeamPlayerRefused`` for a guest, a computer or a closed account."""
    if not player.is_active:
        raise TeamPlayerRefused(_("The account %(player)s is closed.") % {"player": player})
    if player.is_guest:
        raise TeamPlayerRefused(_("Guests cannot be in teams. Sign up first."))
    if player.is_computer:
        raise TeamPlayerRefused(_("Computers cannot be in teams."))


def _check(name: str, pattern: str, first_colour: str, second_colour: str, *, kept: str = "") -> dict[str, str]:
    """Return the values to store. Raises ``InvalidTeam`` with a sentence for each that cannot be."""
    fields: dict[str, list[str]] = {}
    try:
        name = name if name == kept else clean_name(name)
    except InvalidDetails as error:
        fields |= error.fields
    if len(name) > MAX_TEAM_NAME:
        fields["name"] = [_("A name has at most %(most)d characters.") % {"most": MAX_TEAM_NAME}]
    if pattern not in ShirtPattern.values:
        fields["pattern"] = [_("Choose one of: %(choices)s.") % {"choices": ", ".join(ShirtPattern.values)}]
    for field, colour in (("first_colour", first_colour), ("second_colour", second_colour)):
        if colour not in ShirtColour.values:
            fields[field] = [_("Choose one of: %(choices)s.") % {"choices": ", ".join(ShirtColour.values)}]
    if not fields and pattern != ShirtPattern.PLAIN and first_colour == second_colour:
        fields["second_colour"] = [_("A shirt with this pattern needs two different colours.")]
    if fields:
        raise InvalidTeam(fields)
    return {"name": name, "pattern": pattern, "first_colour": first_colour, "second_colour": second_colour}


def _store(team: Team, wanted: Mapping[str, str]) -> None:
    """Store a team with these values. Raises ``TeamNameTaken`` for a new name that another team has, or that looks so.

    Teams whose names were alike before looks were compared keep them: all but the first have no skeleton.
    """
    is_renamed = wanted["name"] != team.name
    for field, value in wanted.items():
        setattr(team, field, value)
    taken = TeamNameTaken(_("Another team is called %(team)s.") % {"team": team.name})
    if is_renamed:
        team.folded_name, team.skeleton = fold_team_name(team.name), find_skeleton(team.name)
        same = Q(folded_name=team.folded_name) | Q(skeleton=team.skeleton)
        other = Team.objects.filter(same).exclude(pk=team.pk).order_by("pk").first()
        if other is not None and other.folded_name != team.folded_name:
            raise TeamNameTaken(_("Another team is called %(team)s, which looks the same.") % {"team": other})
        if other is not None:
            raise taken
    try:
        with transaction.atomic():
            team.save()
    except IntegrityError as error:
        # Another request has taken the name, or the slug, at this moment.
        raise taken from error
