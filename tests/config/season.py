"""Competitions, matches and accounts with several rows of each kind, and every URL that shows them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from itertools import product
from typing import Any

import time_machine
from django.contrib import admin
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType

from matches.clock import CORRESPONDENCE
from matches.models import AnalysisStatus, Colour, Match, MatchAnalysis, Seek, SitePause
from matches.seek_links import path_to
from matches.services import open_seek, start_match
from matches.services.conditional_answers import give_answers
from players.mail_links import switch_off_link
from players.models import Delivery, MailKind, Player
from players.services import create_token, plan_vacation
from push.models import Push, PushKind, PushSubscription
from tests.matches.play import play_randomly, set_up
from tests.tournaments.teams.leagues import enter, make_league, make_teams, members
from tests.tournaments.verbs import NOON, ROUND_ROBIN, enter_all, make_cup, make_ladder, make_players, play_some, start
from tournaments.decisions.services.status import announce
from tournaments.entries.services.line_ups import set_line_up
from tournaments.making.services.series import make_series
from tournaments.models import (
    Competition,
    CompetitionKind,
    CompetitionStatus,
    Correction,
    Cup,
    Dispute,
    EntryInvitation,
    Forecast,
    FormerText,
    Ladder,
    RoleInvitation,
    Series,
    Team,
    WaitingPlayer,
)
from tournaments.models.fixture import is_played_by
from tournaments.models.rights import Role
from tournaments.models.season_dates import Rhythm
from tournaments.office.services.invitation_links import invitation_link
from tournaments.running.services.challenges import challenge
from tournaments.running.services.ladder_pairings import pair_ladder
from tournaments.tables.services.winners import store_title
from tournaments.teams.services.members import accept_team_invitation, invite_to_team, leave_team
from tournaments.teams.services.teams import found_team

DAY = timedelta(days=1)
NOW = NOON + 2 * DAY
"""The moment at which the season is looked at: rounds of its competitions go on."""
SIZE = 7
"""Players in each competition; one of them has a bye in the cup."""
WON = {"winner": "yellow", "points_yellow": 5, "points_red": 0, "goals_yellow": 1, "goals_red": 0}
ROWS = 5
"""So many rows there are at least in every list."""


@dataclass
class Season:
    """The objects to ask for: ``player`` is in all of them, ``boss`` a superuser, and ``secret`` opens a calendar."""

    player: Player
    secret: str
    boss: Player
    cups: list[Cup]
    ladders: list[Ladder]
    matches: list[Match]
    full: list[Competition]

    def urls(self, route: str) -> Iterator[str]:
        """Yield every URL that the route stands for here, as many as differ in what they show."""
        if route.startswith("admin/"):
            yield f"/{self._fill_admin(route)}"
        elif "series/<slug:slug>/" in route:
            yield self._fill(route, {"<slug:slug>": Series.objects.earliest("pk").slug})
        elif "teams/<slug:slug>/" in route:
            yield self._fill(route, {"<slug:slug>": Team.objects.earliest("pk").slug})
        elif "<slug:slug>" in route:
            for competition in self._competitions(route):
                yield from self._of_competition(route, competition)
        elif "<int:match_id>" in route:
            for match in self.matches:
                yield self._of_match(route, match)
        else:
            yield self._fill(route)

    def _competitions(self, route: str) -> list[Any]:
        kind = route.partition("/")[0]
        shown: list[Any] = self.full if "waiting-list" in route else [*self.cups, *self.ladders]
        kinds: dict[str, list[Any]] = {
            "cups": [each for each in shown if each.kind == CompetitionKind.CUP],
            "ladders": [each for each in shown if each.kind == CompetitionKind.LADDER],
        }
        return kinds.get(kind, shown)

    def _of_competition(self, route: str, competition: Competition) -> Iterator[str]:
        if competition in self.full:
            waiting = competition.waiting_players.latest("pk").pk
            rows = {"<int:subject_id>/<slug:action>": f"{waiting}/remove", "<int:waiting_id>": waiting}
            yield self._fill(route, {**rows, "<slug:slug>": competition.slug})
            return
        entry = competition.entries.latest("pk")
        # Who plays there disputes the result; who that is in the latest of all is drawn.
        own = competition.fixtures.filter(is_played_by(self.player)).order_by("pk").last()
        fixture = own or competition.fixtures.latest("pk")
        announcement = competition.log.filter(action="announced").latest("pk")
        invitation = competition.invitations.latest("pk")
        whole = {
            "invitations/<int:subject_id>/<slug:action>/": f"invitations/{invitation.pk}/withdraw/",
            "announcements/<int:subject_id>/<slug:action>/": f"announcements/{announcement.pk}/pin/",
            "log/<int:subject_id>/<slug:action>/": f"log/{announcement.pk}/take-down/",
            "fixtures/<int:subject_id>/<slug:action>/": f"fixtures/{fixture.pk}/adjudicate/",
            "entries/<int:subject_id>/<slug:action>/": f"entries/{entry.pk}/withdraw/",
            "rounds/<int:subject_id>/<slug:action>/": "rounds/1/end/",
            "<slug:slug>": competition.slug,
            "<slug:action>": "announce",
            "<int:entry_id>": entry.pk,
            "<int:fixture_id>": fixture.pk,
            "<int:stage>": 1,
            "<int:group>": 1,
            "<int:number>": 1,
        }
        url = self._fill(route, whole)
        tables = [f"{what}.{form}" for what, form in product(("entries", "results", "standings"), ("csv", "json"))]
        yield from (url.replace("<str:what>.<str:form>", name) for name in tables if "<str:what>" in url)
        if "<str:what>" not in url:
            yield url

    def _of_match(self, route: str, match: Match) -> str:
        stretch = {"<slug:version>": "1", "<int:first>": max(match.ply - 2, 0), "<int:last>": match.ply}
        url = self._fill(
            route,
            {
                "<int:match_id>": match.pk,
                "<int:ply>": match.ply,
                "<slug:key>": "turns",
                "<slug:kind>": "line",
                **stretch,
            },
        )
        moves = match.state.legal_moves() if route.endswith("/route/") and match.side else []
        return f"{url}?text={moves[0]}" if moves else url

    def _fill(self, route: str, more: dict[str, Any] | None = None) -> str:
        link = switch_off_link(self.player.pk, "turn")
        if route.startswith("mail/invitation/"):
            link = invitation_link(EntryInvitation.objects.latest("pk"))
        if route.startswith(("friend/", "api/v1/linked-seeks/")):
            link = path_to(Seek.objects.get(by_link=True).pk)
        ids = {
            "<str:username>": self.player.username,
            "<int:seek_id>": Seek.objects.filter(creator=self.player).latest("pk").pk,
            "<str:uidb64>": "x",
            "<str:token>": link.split("/")[-2],
            "<str:secret>": self.secret,
            "<slug:name>": "streetsoccer",
            "<slug:recipe>": "knock-out",
        }
        for name, value in {**(more or {}), **ids}.items():
            route = route.replace(name, str(value))
        return f"/{route}"

    def _fill_admin(self, route: str) -> str:
        name = route.removeprefix("admin/").split("/")[1] if route.count("/") > 2 else ""
        rows = {model._meta.model_name: model for model in admin.site._registry}
        row = rows[name]._default_manager.latest("pk").pk if name in rows else self.player.pk
        ids = {
            "<path:content_type_id>": ContentType.objects.get_for_model(Player).pk,
            "<path:object_id>": row,
            "<id>": row,
            "<app_label>": "tournaments/",
            "<url>": "nothing",
        }
        for pattern, value in ids.items():
            route = route.replace(pattern, str(value))
        return route


@contextmanager
def begun_season() -> Iterator[Season]:
    """Make all of it, and let it be that moment until the end, since banks and rounds run out by the calendar."""
    with time_machine.travel(NOW):
        yield _make()


def _make() -> Season:
    boss = Player.objects.create(username="boss", is_staff=True, is_superuser=True)
    players = make_players(SIZE)
    cups = [make_cup(third_place=True), make_cup(slug="robin", name="Robin", **ROUND_ROBIN)]
    ladders = [
        make_ladder(min_matches=1),
        make_ladder(slug="court", name="Court", format="challenge-ladder"),
    ]
    for competition in (*cups, *ladders):
        competition.organisers.add(boss, *players[:2])
        enter_all(competition, players)
        start(competition)
        for player in make_players(ROWS, f"{competition.slug}-guest"):
            EntryInvitation.objects.create(competition=competition, player=player, created_at=NOW, asked_at=NOW)
            RoleInvitation.objects.create(competition=competition, player=player, role=Role.HELPER, created_at=NOW)
        for number in range(ROWS):
            actor = players[number % 2]
            line = announce(competition_id=competition.pk, actor=actor, text=f"News {number}", now=NOW)
            FormerText.objects.create(line=line, text="Nothing new.", replaced_by=actor, replaced_at=NOW)
    pair_ladder(ladder_id=ladders[0].pk, now=NOW)
    for number in (1, 3, 5):
        challenge(ladder_id=ladders[1].pk, challenger=players[number], opponent=players[number - 1], now=NOW)
    for competition in (*cups, *ladders):
        play_some(competition, 6 if competition in cups else 2)
        for fixture in competition.fixtures.filter(counted_at__isnull=False)[:ROWS]:
            Correction.objects.create(fixture=fixture, **WON, cause=competition.log.earliest("pk"), decided_at=NOW)
            for player in (players[0], players[1]):
                Dispute.objects.create(fixture=fixture, player=player, text="No.", disputed_at=NOW, result_at=NOW)
    for number in range(ROWS):
        _add_accounts(players, number)
    wishes: dict[str, Any] = {"game": "streetsoccer-board", "colour": Colour.RANDOM, "time_control": CORRESPONDENCE}
    open_seek(creator=players[1], by_link=True, now=NOW, **wishes)
    _token, secret = create_token(player=players[0], name="calendar", scopes=["calendar"], now=NOW)
    _add_series(cups, players, boss)
    _forecast(cups)
    cups.append(_make_team_league(_add_teams(players), boss))
    return Season(players[0], secret, boss, cups, ladders, _play_matches(players), _make_full(players, boss))


def _forecast(cups: list[Cup]) -> None:
    """Forecast when the cups end, each held up by several matches."""
    ends = [f"{what}_{end}" for what in ("round", "stage", "whole") for end in ("early", "likely", "late")]
    for cup in cups:
        open_matches = cup.fixtures.filter(counted_at=None, match__isnull=False)[:ROWS]
        holds_up = [[fixture.match_id, fixture.red_id] for fixture in open_matches]
        Forecast.objects.create(
            competition=cup,
            made_at=NOW,
            due_at=NOW,
            round_number=1,
            holds_up=holds_up,
            **dict.fromkeys(ends, NOW + DAY),
        )


def _add_series(cups: list[Cup], players: list[Player], boss: Player) -> None:
    """Let competitions come again, and one of them have come often already."""
    extra = [make_cup(slug=f"extra-{number}") for number in range(ROWS)]
    for cup in (cups[0], *extra):
        cup.organisers.add(boss)
        make_series(competition=cup, options={"rhythm": Rhythm.MONTHLY}, actor=boss, now=NOW)
    for number in range(ROWS):
        cup = make_cup(slug=f"edition-{number}")
        cup.organisers.add(boss)
        enter_all(cup, players[:3])
        Competition.objects.filter(pk=cup.pk).update(
            series=cups[0].series,
            season=number + 2,
            status=CompetitionStatus.FINISHED,
            started_at=NOW,
            finished_at=NOW,
            winner=cup.entries.earliest("pk"),
        )
        store_title(competition=Competition.objects.get(pk=cup.pk))


def _add_teams(players: list[Player]) -> Team:
    """Found teams of which one has members, some who have left and some who are invited, and the others invite one."""
    shirt = {"pattern": "hoops", "first_colour": "red", "second_colour": "white"}
    own = found_team(name="Foxes", captain=players[0], now=NOW, **shirt)
    for player in make_players(3 * ROWS, "fox"):
        invite_to_team(team_id=own.pk, player=player, actor=players[0], now=NOW)
    invited = [each.player for each in own.memberships.exclude(player=players[0]).select_related("player")]
    for player in invited[ROWS:]:
        accept_team_invitation(team_id=own.pk, player=player, now=NOW)
    for player in invited[-ROWS:]:
        leave_team(team_id=own.pk, player=player, now=NOW)
    for number in range(2 * ROWS):
        captain = players[1 + number % 5]
        team = found_team(name=f"Club {number}", captain=captain, now=NOW, **shirt)
        invite_to_team(team_id=team.pk, player=players[0], actor=captain, now=NOW)
        if number < ROWS:
            accept_team_invitation(team_id=team.pk, player=players[0], now=NOW)
    return own


def _make_team_league(own: Team, boss: Player) -> Cup:
    """Return a running league of several teams of several boards, with line-ups for several rounds."""
    league = make_league(ROWS)
    league.organisers.add(boss, own.captain)
    entries = [enter(league, team, NOW) for team in (own, *make_teams(ROWS, ROWS))]
    for player in make_players(ROWS, "league-guest"):
        EntryInvitation.objects.create(competition=league, player=player, created_at=NOW, asked_at=NOW)
    start(league)
    for entry, number in product(entries, range(2, ROWS + 1)):
        seats = [each.pk for each in members(entry.team)[:ROWS]]
        set_line_up(entry_id=entry.pk, round_number=number, players=seats, actor=entry.team.captain, now=NOW)
    for number in range(ROWS):
        announce(competition_id=league.pk, actor=boss, text=f"News {number}", now=NOW)
    play_some(league, ROWS + 1)
    return league


def _make_full(players: list[Player], boss: Player) -> list[Competition]:
    """Return competitions that are full and have a waiting list."""
    full: list[Competition] = [
        make_cup(slug="full-cup", max_entrants=2, check_in_opened_at=NOW),
        make_ladder(slug="full", max_entrants=2),
    ]
    for competition in full:
        competition.organisers.add(boss, players[0])
        enter_all(competition, players[-2:])
        WaitingPlayer.objects.bulk_create(
            WaitingPlayer(competition=competition, player=player, joined_at=NOW) for player in players[:ROWS]
        )
    return full


def _add_accounts(players: list[Player], number: int) -> None:
    """Add a row of what belongs to an account, and seeks."""
    one, other = players[0], players[number + 1]
    create_token(player=one, name=f"bot {number}", scopes=["read"], now=NOW)
    day = (NOW + (number + 1) * DAY).date()
    plan_vacation(player=one, first=day, last=day, now=NOW)
    device = PushSubscription.objects.create(player=one, digest=f"{number}", name=f"Phone {number}", created_at=NOW)
    Push.objects.create(subscription=device, kind=PushKind.TURN, key="1", created_at=NOW, next_attempt_at=NOW)
    Group.objects.create(name=f"helpers {number}")
    Delivery.objects.create(
        player=players[number], kind=MailKind.TURN, key=f"{number}", created_at=NOW, next_attempt_at=NOW
    )
    began = NOW - (500 - number) * DAY
    over = {"begins_at": began, "ends_at": began + DAY / 2, "completed_at": NOW, "dates_moved_at": NOW}
    SitePause.objects.create(**over, noted_at=NOW, noted_by=players[number])
    for creator, invited in ((one, None), (other, None), (other, one), (one, other)):
        open_seek(
            creator=creator,
            invited=invited,
            game="streetsoccer-board",
            colour=Colour.RANDOM,
            time_control=CORRESPONDENCE,
            now=NOW,
        )


def _play_matches(players: list[Player]) -> list[Match]:
    """Play matches of one player that go on, and one that is over and analysed."""
    options: dict[str, Any] = {"game": "streetsoccer-board", "time_control": CORRESPONDENCE, "now": NOW}
    matches = [start_match(yellow=players[0], red=other, **options) for other in players[1:]]
    over = play_randomly(set_up(matches[0]))
    for requested_by in players[:ROWS]:
        MatchAnalysis.objects.create(
            match=over,
            engine=f"streetsoccer {requested_by.pk}",
            nodes=1,
            depth=1,
            status=AnalysisStatus.DONE,
            requested_by=requested_by,
            requested_at=NOW,
            finished_at=NOW,
        )
    goes_on = play_randomly(set_up(matches[1]), until=12)
    for match in matches[2:]:
        give_answers(match_id=match.pk, player=match.red, ply=0, decisions={"set-up": ["@e10"]}, now=NOW)
    return [over, goes_on]
