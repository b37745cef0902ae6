"""The objects that the requests of the table of permissions are about."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model

from database.clock import read_clock
from matches.models import AnalysisStatus, Colour, Match, MatchAnalysis, Seek, SitePause
from matches.seek_links import link_to
from players.mail_links import switch_off_link
from players.models import ApiToken, Delivery, MailKind, Player, Rating
from players.services import create_token, plan_vacation
from push.encryption import make_key, public_key_of
from push.models import PushSubscription
from streams.echoes import write_token
from tests.matches.play import begin_match, seek_of
from tests.permissions.rows import STAFF
from tests.tournaments.verbs import enter_all, make_cup, make_ladder
from tests.web.answers.description import required_members
from tournaments.decisions.services.status import announce
from tournaments.making.services.series import make_series
from tournaments.models import (
    Competition,
    Correction,
    Cup,
    Dispute,
    EntryInvitation,
    Fixture,
    FormerText,
    Ladder,
    LineUp,
    LogEntry,
    Note,
    PlaceChange,
    RatingChange,
    RoleInvitation,
    Round,
    Series,
    Standing,
    Team,
    TeamMembership,
    Tie,
    WaitingPlayer,
)
from tournaments.models.rights import Role
from tournaments.models.season_dates import Rhythm
from tournaments.office.services.invitation_links import invitation_link
from tournaments.office.services.notes import write_note
from tournaments.running.services.start import start_competition
from tournaments.teams.services.teams import found_team

NOW = datetime.now(UTC)
SOON = (NOW + timedelta(days=2)).date()
"""A day that can be planned, even if midnight passes before the tests have run."""

ACTS = {
    "fixtures": ("fixture_id", "adjudicate"),
    "entries": ("entry_id", "withdraw"),
    "invitations": ("invitation_id", "withdraw"),
    "waiting-list": ("waiting_id", "remove"),
    "announcements": ("announcement_id", "pin"),
    "log": ("line_id", "take-down"),
    "proposed-rounds": ("number", "publish"),
    "rounds": ("number", "end"),
}
"""The acts that pages of organisers are asked for, by the rows that they are about."""


SINGLE: tuple[type[Model], ...] = (
    *(Round, Tie, Fixture, Correction, Dispute, Series, PlaceChange, Team, LineUp, TeamMembership, FormerText),
    *(RatingChange, Rating, Delivery, SitePause, Group),
)
"""The lists of the admin in which this world has one row."""


@dataclass
class World:
    """A match, a seek, a token, a cup and a ladder; see ``rows`` for whose they are.

    What requests do is undone, so that nothing here has to be asked for twice.
    """

    match: Match
    seek: Seek
    token: ApiToken
    secret: str
    cup: Cup
    ladder: Ladder
    announcement: LogEntry
    notes: dict[int, Note]
    _urls: dict[str, str] = field(default_factory=dict)

    def fill(self, route: str) -> str:
        """Return the URL with this world's ids in it."""
        if route not in self._urls:
            self._urls[route] = self._fill(route)
        return self._urls[route]

    def _fill(self, route: str) -> str:
        if "series/<slug:slug>/" in route:
            route = route.replace("<slug:slug>", Series.objects.get().slug)
        if "teams/<slug:slug>/" in route:
            route = route.replace("<slug:slug>", Team.objects.get().slug)
        competition = self.ladder if route.startswith("ladders/") else self.cup
        ids = self._ids_of_admin(route) if route.startswith("admin/") else self.ids(competition)
        about = re.search(r"([a-z-]+)/(<int:subject_id>/)?<slug:action>/", route)
        subject, action = ACTS.get(about[1] if about else "", ("", "announce"))
        ids |= {"subject_id": ids.get(subject), "action": action}
        if route.startswith("mail/invitation/"):
            ids["token"] = invitation_link(self.ladder.invitations.get()).rstrip("/").rpartition("/")[2]
        if route.startswith(("friend/", "api/v1/linked-seeks/")):
            ids["token"] = self.linked
        route = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: str(ids[found[1]]), route)
        return f"/{route}?text={self.move}" if route.endswith("/route/") else f"/{route}"

    def ids(self, competition: Competition) -> dict[str, Any]:
        """Return the parameters of paths by their names; those of a competition are this one's."""
        return {
            "match_id": self.match.pk,
            "seek_id": self.seek.pk,
            "token_id": self.token.pk,
            "device_id": PushSubscription.objects.get().pk,
            "slug": competition.slug,
            "entry_id": competition.entries.first().pk,
            "fixture_id": self.cup.fixtures.get().pk,
            **dict.fromkeys(("announcement_id", "line_id"), self.announcement.pk),
            "invitation_id": competition.invitations.get().pk,
            "waiting_id": competition.waiting_players.get().pk,
            "note_id": self.notes[competition.pk].pk,
            "act": "remove",
            "what": "entries",
            "form": "csv",
            **dict.fromkeys(("number", "stage", "group", "version"), 1),
            **dict.fromkeys(("ply", "first", "last"), 0),
            "day": f"{SOON}",
            "username": "anna",
            "uidb64": "x",
            "token": switch_off_link(self.match.yellow_id, "turn").split("/")[-2],
            "secret": self.secret,
            "recipe": "knock-out",
            "name": "streetsoccer",
            "key": "turns",
            "kind": "line",
        }

    def _ids_of_admin(self, route: str) -> dict[str, Any]:
        _admin, _app, name, *_rest = f"{route}//".split("/")
        return {
            "content_type_id": ContentType.objects.get_for_model(Player).pk,
            "object_id": self._rows.get(name, self._rows["player"]),
            "id": self._rows.get(name, ""),
            "app_label": "tournaments/",
            "url": "nothing",
        }

    @cached_property
    def _rows(self) -> dict[str, Any]:
        """A row of each list of the admin, of the cup where it is of a competition at all."""
        return {
            "match": self.cup.fixtures.get().match_id,
            "matchanalysis": self.cup.fixtures.get().match.analyses.get().pk,
            "player": Player.objects.get(username="anna").pk,
            "apitoken": self.token.pk,
            "cup": self.cup.pk,
            "ladder": self.ladder.pk,
            "entry": self.cup.entries.first().pk,
            "entryinvitation": self.cup.invitations.get().pk,
            "roleinvitation": self.cup.role_invitations.get().pk,
            "standing": Standing.objects.filter(group__stage__competition=self.cup).first().pk,
            "logentry": self.cup.log.first().pk,
            **{model.__name__.lower(): model._default_manager.get().pk for model in SINGLE},
        }

    @cached_property
    def linked(self) -> str:
        """The token of the link to a game of anna's."""
        return link_to(Seek.objects.get(by_link=True).pk).split("/")[-2]

    @cached_property
    def _side(self) -> str:
        """The side whose turn it is in the cup's match."""
        return str(self.cup.fixtures.get().match.side)

    @cached_property
    def move(self) -> str:
        """A legal move of anna's."""
        return self.match.state.legal_moves()[0]

    def body(self, route: str) -> dict[str, Any]:
        """Return what the request says; to the API it says what it must."""
        bodies: dict[str, dict[str, Any]] = {
            "api/v1/players/": {},
            "api/v1/players/me/": {"may_be_entered": True},
            "api/v1/players/me/password/": {},
            "forgot-password/": {"email": "anna@example.org"},
            "profile/tokens/": {"name": "bot", "scopes": ["read"], "days": ""},
            "api/v1/matches/<int:match_id>/moves/": {"ply": self.match.ply, "text": self.move},
            "matches/<int:match_id>/": {"ply": self.match.ply, "text": self.move},
            "api/v1/matches/": {"game": "streetsoccer-board", "opponent": "computer"},
            "seeks/": {"game": "streetsoccer-board", "colour": "random", "pace": "slow"},
            "friend/": {"game": "streetsoccer-board", "colour": "random", "pace": "slow"},
            **{
                f"{before}matches/<int:match_id>/offer/{act}": {"kind": "cancel"}
                for before in ("", "api/v1/")
                for act in ("", "accept/")
            },
            "api/v1/echoes/": {"token": write_token(self.match.yellow_id, read_clock())},
            "api/v1/push-subscriptions/": {
                "endpoint": "https://push.example.org/phone",
                "keys": {"p256dh": public_key_of(make_key()), "auth": "A" * 22},
                "name": "Phone",
            },
            "api/v1/matches/<int:match_id>/by-hand/": {"by_hand": True},
            "api/v1/matches/<int:match_id>/conditional-answers/": {
                "ply": self.match.ply,
                "decisions": [{"kind": "set-up", "texts": ["@e10"]}],
            },
            "matches/<int:match_id>/answers/": {"ply": self.match.ply, "kind": "set-up", "texts": "@e10"},
            "matches/<int:match_id>/answers/remove/": {"answer": 1},
            "api/v1/replays/": {"game": "paper-soccer", "text": "1. 0 0"},
            "replay/": {"game": "paper-soccer", "text": "1. 0 0"},
            "api/v1/vacation/": {"first": f"{SOON}", "last": f"{SOON}"},
            "profile/vacation/": {"first": f"{SOON}", "last": f"{SOON}"},
            "cups/<slug:slug>/bye/": {"round": 2},
            "play/": {"game": "streetsoccer-board", "colour": "yellow"},
        }
        if route in bodies:
            return bodies[route]
        organising = {
            "reason": "It has to be.",
            "text": "anna",
            "name": "Again",
            "player": "anna",
            "team": "foxes",
            "players": ["anna"],
            "first": "anna",
            "second": "piotr",
            "opponent": "piotr",
            "winner": "yellow",
            "policy": "forfeit",
            "round": 2,
            "place": 1,
            "side": "red" if self._side == "yellow" else "yellow",
            "seconds": 60,
        }
        if route.startswith("api/"):
            others = {
                "from": (NOW - timedelta(days=1)).isoformat(),
                "until": NOW.isoformat(),
                "ends_at": None,
                "role": "helper",
                "entries": [self.cup.entries.first().pk],
                "fixtures": [self.cup.fixtures.get().pk],
                "email": "anna@example.org",
                "scopes": ["read"],
                "recipe": "knock-out",
                "game": "streetsoccer-board",
                "competition": self.cup.slug,
                "rhythm": "weekly",
            }
            return {name: (organising | others)[name] for name in required_members(route)}
        if route.endswith("organise/organisers/"):
            return {"player": "anna", "role": "helper"}
        if route.endswith("<slug:action>/"):
            return organising
        return {"post": "yes"} if route.endswith("/delete/") else {}


def make_world() -> World:
    """Return all of it, and a row in every list of the admin."""
    names = ("anna", "piotr", "carla", "hanna", "ines")
    anna, piotr, carla, hanna, ines = (Player.objects.create(username=name) for name in names)
    olga, otto, _stan = (Player.objects.create(username=name, is_staff=True) for name in ("olga", "otto", "stan"))
    assert {olga.username, otto.username} < STAFF
    Player.objects.create(username="boss", is_staff=True, is_superuser=True)
    make_ladder(slug="elsewhere", name="Elsewhere").organisers.add(otto)
    cup = make_cup(legs=1)
    ladder = make_ladder()
    for competition, players in ((cup, (piotr, carla)), (ladder, (piotr,))):
        competition.organisers.add(olga)
        competition.helpers.add(hanna)
        EntryInvitation.objects.create(
            competition=competition, player=ines, invited_by=olga, created_at=NOW, asked_at=NOW
        )
        RoleInvitation.objects.create(
            competition=competition, player=ines, role=Role.HELPER, invited_by=olga, created_at=NOW
        )
        enter_all(competition, players)
        WaitingPlayer.objects.create(competition=competition, player=anna, joined_at=NOW)
    start_competition(competition_id=cup.pk, actor=None, now=NOW)
    match = begin_match(anna, piotr, now=NOW)
    for analysed in (match, cup.fixtures.get().match):
        made: dict[str, Any] = {"engine": "streetsoccer 1", "nodes": 1, "depth": 1, "status": AnalysisStatus.DONE}
        MatchAnalysis.objects.create(match=analysed, requested_at=NOW, finished_at=NOW, **made)
    seek = seek_of(anna, invited=piotr, colour=Colour.RANDOM, now=NOW)
    seek_of(anna, by_link=True, now=NOW)
    plan_vacation(player=anna, first=SOON, last=SOON, now=NOW)
    PushSubscription.objects.create(player=anna, name="Phone", created_at=NOW)
    token, secret = create_token(player=anna, name="bot", scopes=["read", "calendar"], now=NOW)
    Group.objects.create(name="helpers")
    found_team(name="Foxes", pattern="hoops", first_colour="red", second_colour="white", captain=anna, now=NOW)
    entry = cup.entries.first()
    LineUp.objects.create(entry=entry, players=[anna.pk], set_by=anna, set_at=NOW)
    seat = entry.seat
    Standing.objects.get_or_create(seat=seat, group=seat.group)
    PlaceChange.objects.get_or_create(competition=seat.stage.competition, seat=seat, place=1, changed_at=NOW)
    Delivery.objects.create(player=anna, kind=MailKind.TURN, key="x", created_at=NOW, next_attempt_at=NOW)
    over = {"begins_at": NOW - timedelta(days=2), "ends_at": NOW - timedelta(days=1)}
    SitePause.objects.create(**over, noted_at=NOW, completed_at=NOW, dates_moved_at=NOW)
    stand = {"family": "streetsoccer", "games": 1, "wins": 1, "rank": 0}
    Rating.objects.create(player=anna, rating=1510, **stand)
    RatingChange.objects.create(player=anna, match=match, finished_at=NOW, before=1500, after=1510, **stand)
    # One cup comes again; the other may.
    again = make_cup(slug="again", name="Again")
    again.organisers.add(olga)
    make_series(competition=again, options={"rhythm": Rhythm.MONTHLY}, actor=olga, now=NOW)
    announcement = announce(competition_id=cup.pk, actor=olga, text="Have fun!", now=NOW)
    decided = {"winner": "yellow", "points_yellow": 5, "points_red": 0, "goals_yellow": 1, "goals_red": 0}
    Correction.objects.create(fixture=Fixture.objects.get(competition=cup), **decided, decided_at=NOW)
    objection = {"player": anna, "text": "It was a goal.", "disputed_at": NOW, "result_at": NOW}
    Dispute.objects.create(fixture=Fixture.objects.get(competition=cup), **objection)
    FormerText.objects.create(line=announcement, text="Have phun!", replaced_by=olga, replaced_at=NOW)
    notes = {
        each.pk: write_note(competition_id=each.pk, actor=olga, text="Ask carla.", now=NOW) for each in (cup, ladder)
    }
    return World(match, seek, token, secret, cup, ladder, announcement, notes)
