"""Find out what somebody who runs a competition has to win or lose there: the own matches, and those of rivals."""

from dataclasses import dataclass

from django.db.models import Q

from players.models import Player
from tournaments.models import Competition, Entry, Fixture, Interest, MembershipStatus, TeamMembership, WaitingPlayer
from tournaments.records.competitions import IN_COMPETITION


@dataclass(frozen=True, slots=True)
class Stake:
    """The part that a player has in a competition: whether they play in it, and the teams of which they are members."""

    player_id: int | None = None
    teams: frozenset[int] = frozenset()
    is_in: bool = False

    def interest_in(self, subject: object = None) -> Interest:
        """Return the player's interest in an act on something in the competition. What is one's own place has none."""
        if isinstance(subject, Fixture) and (
            self.player_id in subject.player_ids or not self.teams.isdisjoint(subject.team_ids)
        ):
            return Interest.MATCH
        if isinstance(subject, Entry | WaitingPlayer) and self.player_id == subject.player_id:
            return Interest.NONE
        if isinstance(subject, Entry) and subject.team_id in self.teams:
            return Interest.NONE
        return Interest.COMPETITION if self.is_in else Interest.NONE


def stake_of(*, competition: Competition, player: Player | None) -> Stake:
    """Return what a player has at stake in a competition; nothing without a player. Two queries."""
    if player is None:
        return Stake()
    memberships = TeamMembership.objects.filter(player=player, status=MembershipStatus.MEMBER)
    teams = frozenset(memberships.values_list("team", flat=True))
    own = Q(player=player, team=None) | Q(team__in=teams)
    entries = Entry.objects.filter(own, competition_id=competition.pk, status__in=IN_COMPETITION)
    return Stake(player.pk, teams, entries.exists())
