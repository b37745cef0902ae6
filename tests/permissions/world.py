"""The objects that the requests of the table of permissions are about."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType

from matches.clock import CORRESPONDENCE
from matches.models import AnalysisStatus, Colour, Match, MatchAnalysis, Seek
from matches.services import open_seek, start_match
from players.mail_links import switch_off_link
from players.models import ApiToken, Delivery, MailKind, Player, Rating
from players.services import create_token, plan_vacation
from tests.permissions.rows import STAFF
from tests.tournaments.verbs import enter_all, make_cup, make_ladder
from tournaments.decisions.services.status import announce
from tournaments.making.services.series import make_series
from tournaments.models import (
    Cup,
    EntryInvitation,
    Ladder,
    LineUp,
    LogEntry,
    Note,
    PlaceChange,
    RatingChange,
    Round,
    Series,
    Standing,
    Team,
    TeamMembership,
    Tie,
    WaitingPlayer,
)
from tournaments.models.season_dates import Rhythm
from tournaments.office.services.invitation_links import invitation_link
from tournaments.office.services.notes import write_note
from tournaments.running.services.start import start_competition
from tournaments.teams.services.teams import found_team

NOW = datetime.now(UTC)
SOON = (NOW + timedelta(days=2)).date()
"""A day that can be planned, even if midnight passes before the tests have run."""

API_COMPETITION = "api/v1/competitions/<slug:slug>/"
MEMBERS = {
    **dict.fromkeys(
        (
            "pause",
            "resume",
            "finish",
            "cancel",
            "call-off-check-in",
            "withdraw",
            "annul",
            "replay",
            "take-back-start",
            "remove",
            "take-back-withdrawal",
            "take-back-bye",
            "take-back-end",
            "take-back-publication",
            "take-back-decision",
            "take-back-annulment",
            "take-back-replay",
        ),
        ("reason",),
    ),
    **dict.fromkeys(("admissions", "replace"), ("reason", "player")),
    "announcements": ("text",),
    "notes": ("text",),
    "copy": ("name",),
    "bye": ("round",),
    "request-bye": ("reason", "round"),
    "import": ("reason", "text"),
    "adjudicate": ("reason", "winner"),
    "extend": ("reason", "side", "seconds"),
    "end": ("reason", "policy"),
    "date": ("ends_at",),
    "challenges": ("opponent",),
    "swap": ("first", "second"),
    "enter-team": ("team", "players"),
    "team-admissions": ("team", "players"),
    "line-up": ("round", "players"),
}
"""The members of the bodies of organisers' requests, by the last word of the URL; of all others nothing."""

SEVERAL = {
    "entries/withdraw/": ("reason",),
    "entries/check-in/": (),
    "fixtures/adjudicate/": ("reason", "policy"),
    "fixtures/extend/": ("reason", "seconds"),
    "fixtures/annul/": ("reason",),
    "fixtures/pause/": ("reason",),
    "fixtures/resume/": ("reason",),
}
"""The same of bodies about several, beside their numbers."""


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
        if route.startswith("admin/"):
            return f"/{self._fill_admin(route)}"
        if "series/<slug:slug>/" in route:
            route = route.replace("<slug:slug>", Series.objects.get().slug)
        if "teams/<slug:slug>/" in route:
            route = route.replace("<slug:slug>", Team.objects.get().slug)
        competition = self.ladder if route.startswith("ladders/") else self.cup
        entry = competition.entries.first()
        fixture, invitation = self.cup.fixtures.get(), competition.invitations.get()
        waiting = competition.waiting_players.get()
        ids = {
            "fixtures/<int:subject_id>/<slug:action>/": f"fixtures/{fixture.pk}/adjudicate/",
            "entries/<int:subject_id>/<slug:action>/": f"entries/{entry.pk}/withdraw/",
            "invitations/<int:subject_id>/<slug:action>/": f"invitations/{invitation.pk}/withdraw/",
            "mail/invitation/<str:token>": invitation_link(self.ladder.invitations.get()).split("/", 3)[3].strip("/"),
            "waiting-list/<int:subject_id>/<slug:action>/": f"waiting-list/{waiting.pk}/remove/",
            "<int:waiting_id>": waiting.pk,
            "<int:invitation_id>": invitation.pk,
            "proposed-rounds/<int:subject_id>/<slug:action>/": "proposed-rounds/1/publish/",
            "rounds/<int:subject_id>/<slug:action>/": "rounds/1/end/",
            "fixtures/<slug:action>/": "fixtures/adjudicate/",
            "entries/<slug:action>/": "entries/withdraw/",
            "announcements/<int:subject_id>/<slug:action>/": f"announcements/{self.announcement.pk}/pin/",
            "<int:announcement_id>": self.announcement.pk,
            "<int:note_id>": self.notes[competition.pk].pk,
            "<slug:action>": "announce",
            "<slug:act>": "remove",
            "<slug:slug>": competition.slug,
            "<str:what>.<str:form>": "entries.csv",
            "<int:entry_id>": entry.pk,
            "<int:fixture_id>": fixture.pk,
            "<int:number>": 1,
            "<int:stage>": 1,
            "<int:group>": 1,
            "<int:match_id>": self.match.pk,
            "<int:seek_id>": self.seek.pk,
            "<int:token_id>": self.token.pk,
            "<int:ply>": 0,
            "<slug:version>/<int:first>-<int:last>": "1/0-0",
            "<str:day>": SOON,
            "<str:username>": "anna",
            "<str:uidb64>": "x",
            "<str:token>": switch_off_link(self.match.yellow_id, "turn").split("/")[-2],
            "<str:secret>": self.secret,
            "<slug:recipe>": "knock-out",
            "<slug:name>": "streetsoccer",
            "<slug:key>": "turns",
        }
        for name, value in ids.items():
            route = route.replace(name, str(value))
        return f"/{route}?text={self.move}" if route.endswith("/route/") else f"/{route}"

    def _fill_admin(self, route: str) -> str:
        _app, _, rest = route.removeprefix("admin/").partition("/")
        name = rest.partition("/")[0]
        ids = {
            "<path:content_type_id>": ContentType.objects.get_for_model(Player).pk,
            "<path:object_id>": self._rows.get(name, self._rows["player"]),
            "<id>": self._rows.get(name, ""),
            "<app_label>": "tournaments/",
            "<url>": "nothing",
        }
        for pattern, value in ids.items():
            route = route.replace(pattern, str(value))
        return route

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
            "round": Round.objects.get().pk,
            "tie": Tie.objects.get().pk,
            "fixture": self.cup.fixtures.get().pk,
            "standing": Standing.objects.filter(group__stage__competition=self.cup).first().pk,
            "logentry": self.cup.log.first().pk,
            "series": Series.objects.get().pk,
            "placechange": PlaceChange.objects.get().pk,
            "ratingchange": RatingChange.objects.get().pk,
            "rating": Rating.objects.get().pk,
            "team": Team.objects.get().pk,
            "lineup": LineUp.objects.get().pk,
            "teammembership": TeamMembership.objects.get().pk,
            "delivery": Delivery.objects.get().pk,
            "group": Group.objects.get().pk,
        }

    @cached_property
    def _side(self) -> str:
        """The side whose turn it is in the cup's match."""
        return str(self.cup.fixtures.get().match.side)

    @cached_property
    def move(self) -> str:
        """A legal move of anna's."""
        return self.match.state.legal_moves()[0]

    def body(self, route: str) -> dict[str, Any]:
        """Return what the request says."""
        time = {"bank": 3600, "increment": 60, "cap": 3600}
        bodies: dict[str, dict[str, Any]] = {
            "api/v1/players/me/email/": {"email": ""},
            "api/v1/players/me/": {"may_be_entered": True},
            "api/v1/players/me/password/": {},
            "api/v1/password-resets/": {"email": "anna@example.org"},
            "forgot-password/": {"email": "anna@example.org"},
            "api/v1/tokens/": {"name": "bot", "scopes": ["read"]},
            "profile/tokens/": {"name": "bot", "scopes": ["read"], "days": ""},
            "api/v1/matches/<int:match_id>/moves/": {"ply": self.match.ply, "text": self.move},
            "matches/<int:match_id>/": {"ply": self.match.ply, "text": self.move},
            "api/v1/matches/": {"game": "streetsoccer-board", "opponent": "computer"},
            "api/v1/seeks/": {"game": "streetsoccer-board", "colour": "random", "time_control": time},
            "seeks/": {"game": "streetsoccer-board", "colour": "random", "pace": "slow"},
            "api/v1/replays/": {"game": "paper-soccer", "text": "1. 0 0"},
            "replay/": {"game": "paper-soccer", "text": "1. 0 0"},
            "api/v1/teams/": {"name": "Owls"},
            "api/v1/teams/<slug:slug>/captain/": {"player": "anna"},
            "api/v1/teams/<slug:slug>/invitations/": {"player": "anna"},
            "api/v1/vacation/": {"first": f"{SOON}", "last": f"{SOON}"},
            "profile/vacation/": {"first": f"{SOON}", "last": f"{SOON}"},
            "cups/<slug:slug>/bye/": {"round": 2},
            "play/": {"game": "streetsoccer-board", "colour": "yellow"},
        }
        if route == "api/v1/competitions/":
            return {"recipe": "knock-out", "name": "Spring", "game": "streetsoccer-board"}
        if route == "api/v1/series/":
            return {"competition": self.cup.slug, "rhythm": "weekly"}
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
            "side": "red" if self._side == "yellow" else "yellow",
            "seconds": 60,
            "ends_at": None,
        }
        if route == f"{API_COMPETITION}organisers/<str:username>/":
            return {"role": "helper"}
        if (rows := SEVERAL.get(route.removeprefix(API_COMPETITION))) is not None:
            numbers = {"entries": self.cup.entries.first().pk, "fixtures": self.cup.fixtures.get().pk}
            given = {name: organising[name] for name in rows}
            return given | {name: [number] for name, number in numbers.items() if f"/{name}/" in f"/{route}"}
        if route.startswith(API_COMPETITION):
            return {name: organising[name] for name in MEMBERS.get(route.removesuffix("/").rpartition("/")[2], ())}
        if route.endswith("organise/organisers/"):
            return {"player": "anna", "role": "helper"}
        if route.endswith("<slug:action>/"):
            return {name: value for name, value in organising.items() if value}
        return {"post": "yes"} if route.endswith("/delete/") else bodies.get(route, {})


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
        enter_all(competition, players)
        WaitingPlayer.objects.create(competition=competition, player=anna, joined_at=NOW)
    start_competition(competition_id=cup.pk, actor=None, now=NOW)
    match = start_match(game="streetsoccer-board", yellow=anna, red=piotr, time_control=CORRESPONDENCE, now=NOW)
    for analysed in (match, cup.fixtures.get().match):
        MatchAnalysis.objects.create(
            match=analysed,
            engine="streetsoccer 1",
            nodes=1,
            depth=1,
            status=AnalysisStatus.DONE,
            requested_at=NOW,
            finished_at=NOW,
        )
    seek = open_seek(
        creator=anna,
        invited=piotr,
        game="streetsoccer-board",
        colour=Colour.RANDOM,
        time_control=CORRESPONDENCE,
        now=NOW,
    )
    plan_vacation(player=anna, first=SOON, last=SOON, now=NOW)
    token, secret = create_token(player=anna, name="bot", scopes=["read", "calendar"], now=NOW)
    Group.objects.create(name="helpers")
    found_team(name="Foxes", pattern="hoops", first_colour="red", second_colour="white", captain=anna, now=NOW)
    entry = cup.entries.first()
    LineUp.objects.create(entry=entry, players=[anna.pk], set_by=anna, set_at=NOW)
    seat = entry.seat
    Standing.objects.get_or_create(seat=seat, group=seat.group)
    PlaceChange.objects.get_or_create(competition=seat.stage.competition, seat=seat, place=1, changed_at=NOW)
    Delivery.objects.create(player=anna, kind=MailKind.TURN, key="x", created_at=NOW, next_attempt_at=NOW)
    stand = {"family": "streetsoccer", "games": 1, "wins": 1, "rank": 0}
    Rating.objects.create(player=anna, rating=1510, **stand)
    RatingChange.objects.create(player=anna, match=match, finished_at=NOW, before=1500, after=1510, **stand)
    # One cup comes again; the other may.
    again = make_cup(slug="again", name="Again")
    again.organisers.add(olga)
    make_series(competition=again, options={"rhythm": Rhythm.MONTHLY}, actor=olga, now=NOW)
    announcement = announce(competition_id=cup.pk, actor=olga, text="Have fun!", now=NOW)
    notes = {
        each.pk: write_note(competition_id=each.pk, actor=olga, text="Ask carla.", now=NOW) for each in (cup, ladder)
    }
    return World(match, seek, token, secret, cup, ladder, announcement, notes)
