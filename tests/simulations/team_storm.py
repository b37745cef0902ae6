"""A storm over a competition of teams: captains and members do whatever they can, in any order, beside organisers."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django import forms
from rest_framework import serializers

from players.models import Player
from tests.simulations.storm import Storm
from tests.tournaments.teams.leagues import make_teams, members
from tournaments.models import Competition, MembershipStatus, Stage, Team, TeamMembership
from tournaments.teams.inputs import BoardPlayers, BoardPlayersField, TeamName, _TeamField

TEAMS = 4
BOARDS = 2
SUBSTITUTES = 2

STRANGE = 0.2
"""The chance that a line-up names somebody who is in another team, or in none."""

SHORT = 0.3
"""The chance that a line-up leaves the last board empty."""

BY_CAPTAINS = frozenset(
    "enter_team leave set_line_up leave_team remove_member invite_to_team accept_invitation hand_over move resign "
    "run_out_of_time".split()
)
"""The acts of captains and members, and those that happen to them."""

CERTAIN = frozenset("open_competition enter_team start_competition resign".split())
"""The acts that are done in the shortest storm of teams."""

LEAVES = 0.2
"""The chance that a captain who could withdraw a team does: of few teams a competition is soon over."""

OUTSIDERS = 4


class TeamStorm(Storm):
    """A competition of teams, and everybody who does something in it or in a team."""

    certain = CERTAIN

    def _start(self) -> None:
        if not hasattr(self, "teams"):
            self.teams = make_teams(TEAMS, BOARDS + SUBSTITUTES)
            outsiders = self.players[:OUTSIDERS]
            self.players = [*outsiders, *(player for team in self.teams for player in members(team))]
        for team in Team.objects.filter(pk__in=[each.pk for each in self.teams]).order_by("pk"):
            self._enter_team(team)
        self.organise("start_competition", "start/", {})

    def shape(self, competition: Competition, stages: list[Stage]) -> None:
        """Let it be one of teams with few boards, round by round."""
        competition.boards = BOARDS
        for stage in stages:
            stage.round_days, stage.late_entry = 3, False

    @property
    def own_acts(self) -> list[Callable[[], object]]:
        """Return what captains and members do."""
        return [
            self.enter,
            self.leave,
            self.line_up,
            self.line_up,
            self.lose_member,
            self.win_member,
            self.hand_over,
            self.wait,
            self.draw,
        ]

    # What captains and members do

    def enter(self) -> None:
        """Let a captain enter a team."""
        self._enter_team(self._team())

    def leave(self) -> None:
        """Let a captain withdraw a team."""
        if self.source.random() < LEAVES:
            self.as_player("leave", self._team().captain, "leave/", {})

    def line_up(self) -> None:
        """Let a captain name a line-up, which may leave a board empty or name a stranger."""
        team = self._team()
        body = {"round": self.source.randint(1, 4), "players": self._seats(team)}
        self._send("set_line_up", team.captain, "line-up/", body, "put")

    def lose_member(self) -> None:
        """Let a member leave a team, or its captain remove one."""
        team = self._team()
        player = self.source.choice(members(team))
        if self.source.random() < 0.5:
            self._ask("leave_team", player, f"{team.slug}/leave/", {})
        else:
            self._ask("remove_member", team.captain, f"{team.slug}/members/{player.username}/", {}, "delete")

    def win_member(self) -> None:
        """Let a captain invite somebody, and somebody who has been invited join."""
        team, player = self._team(), self.source.choice(self.players)
        self._ask("invite_to_team", team.captain, f"{team.slug}/invitations/", {"player": player.username})
        invited = TeamMembership.objects.filter(status=MembershipStatus.INVITED).order_by("pk")
        for membership in invited.select_related("team", "player"):
            path = f"{membership.team.slug}/invitation/accept/"
            self._ask("accept_invitation", membership.player, path, {})

    def hand_over(self) -> None:
        """Let a captain make another member the captain."""
        team = self._team()
        body = {"player": self.source.choice(members(team)).username}
        self._ask("hand_over", team.captain, f"{team.slug}/captain/", body, "put")

    # What is filled in

    def _fill(self, name: str, field: forms.Field) -> Any:
        if isinstance(field, TeamName):
            return self._team().name
        if isinstance(field, BoardPlayers):
            return " ".join(self._seats(self._team()))
        return super()._fill(name, field)

    def _value(self, name: str, field: serializers.Field) -> Any:
        if isinstance(field, _TeamField):
            return self._team().slug
        if isinstance(field, BoardPlayersField):
            return self._seats(self._team())
        return super()._value(name, field)

    def _enter_team(self, team: Team) -> None:
        body = {"team": team.slug, "players": [player.username for player in members(team)[:BOARDS]]}
        self._send("enter_team", team.captain, "enter-team/", body)

    def _team(self) -> Team:
        """Return a team as it is now."""
        return Team.objects.select_related("captain").get(pk=self.source.choice(self.teams).pk)

    def _seats(self, team: Team) -> list[str]:
        """Return usernames for the boards of a team: mostly of members."""
        among = self.players if self.source.random() < STRANGE else members(team)
        boards = BOARDS - (self.source.random() < SHORT)
        return [player.username for player in self.source.sample(among, min(boards, len(among)))]

    def _ask(self, operation: str, player: Player, path: str, body: dict[str, Any], method: str = "post") -> None:
        """Send something about a team."""
        url = f"/api/v1/teams/{path}"
        answer = getattr(self.client_of(player), method)(url, body, content_type="application/json")
        self._note(f"{player} {method} {url} {body}", answer)
        self.done[operation] += answer.status_code < HTTPStatus.MULTIPLE_CHOICES
