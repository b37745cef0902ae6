"""A storm: organisers and players do whatever can be done to a competition, by requests, in any order."""

import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, TypeVar

from celery import current_app
from django import forms
from django.conf import settings
from django.db.models import Model, QuerySet
from django.test import Client
from django.utils import timezone
from rest_framework import serializers

from matches.models import Match, Status
from players.models import Player
from rules_engine.values import Side
from tests.tournaments.desk.subjects import subjects_of
from tests.tournaments.verbs import let_time_run_out, make_players
from tournaments.desk.acts import ACTS, Act
from tournaments.desk.acts.inputs import OutageMoment, PairingsVersion, PlacedPlayer
from tournaments.making.recipes import RECIPES, make_stages
from tournaments.making.services.competitions import change_competition, create_competition
from tournaments.models import (
    ENDED,
    Competition,
    CompetitionKind,
    CompetitionStatus,
    Cup,
    Entry,
    EntryStatus,
    Fixture,
    Ladder,
    RoundEnd,
    Stage,
    WaitingPlayer,
)
from tournaments.models.fixture import SITTING
from tournaments.models.rights import RIGHTS, Role
from tournaments.office.inputs import Username, _PlayerField
from tournaments.rounds.selectors import proposed_rounds_of
from tournaments.running.selectors.entry_conditions import count_entrants
from tournaments.running.services.verification import (
    verify_competition,
    verify_ratings,
    verify_settled,
    waiting_in_competition,
    waiting_in_family,
)
from web.api import moment_fields as api_fields
from web.errors import DomainError
from web.pages.moment_fields import MomentField

ENTRANTS = 8
NEWCOMERS = 12
GAME = "paper-soccer"
OFFERED = 0.7
"""The chance that an act is sought among those that pages offer, rather than among all: then it is mostly refused."""

LOOKED_AT = 10
"""At how many things of a kind organisers look for what can be done, and how many players for whom to challenge."""

SOUGHT = 0.3
"""The chance that organisers look for what has not been done yet, among things of all kinds."""

CHECKED = 0.4
"""The chance that players check in before a competition starts."""

CROWDED = 0.5
"""The chance that more players come than there are places before a competition starts."""

ROUNDS = 4
"""Up to which round byes are asked for. Rounds far ahead are, too: requests for the next ones are soon answered."""

SELDOM = {"cancel": 0.05, "finish": 0.1, "take-back-start": 0.15, "close": 0.3, "end": 0.4, "announce": 0.2}
"""The chance that an act that has been drawn is done once more: after some of them little can happen for long."""

PAUSES = [timedelta(minutes=1), timedelta(minutes=20), timedelta(hours=2), timedelta(hours=30)]
LOG_IN_AGAIN = timedelta(days=7)
WAIT = timedelta(days=11)
"""The time in which an idle player's clock has run out."""

NARROW = 0.3
"""The chance that the number of places changes before somebody would wait for one."""

FORESEEN = 0.7
"""The chance that a move comes that was answered beforehand."""

MAX_WAITS = 60
SWEPT = ("tournaments.tasks.", "matches.tasks.expire_turns", "matches.tasks.give_vacation")
"""The beginnings of the names of the sweeps that have something to do here."""

ANOTHER = 0.1
"""The chance that another competition follows one that has ended: until then what has ended can be taken back."""

BY_PLAYERS = frozenset(
    "enter leave check_in join_waiting_list leave_waiting_list challenge ask_for_bye take_back_bye move answer resign "
    "run_out_of_time dispute_result".split()
)
"""The acts of players, and those that happen to them."""

CERTAIN = frozenset("open_competition enter start_competition resign".split())
"""The acts that are done in the shortest storm."""

Answer = Any
Row = TypeVar("Row", bound=Model)


class Storm:
    """A competition of a recipe, and everybody who does something in it. ``clock`` is the machine's, travelling.

    If it ends before the storm does, and nobody takes that back, another one begins. ``certain`` is what is done in the
    shortest storm.
    """

    certain = CERTAIN

    def __init__(self, recipe: str, seed: int, clock: Any) -> None:
        current_app.loader.import_default_modules()
        self.source = random.Random(f"{recipe}-{seed}")
        self.recipe, self.clock, self.number = recipe, clock, 0
        self.boss = Player.objects.create(username="boss", is_staff=True, is_superuser=True, date_joined=self.now)
        # An organiser who is no staff enters players only after they have been asked.
        self.olga = Player.objects.create(username="olga", date_joined=self.now)
        self.players = make_players(ENTRANTS + NEWCOMERS)
        self._clients: dict[int, tuple[Client, datetime]] = {}
        self.done: Counter[str] = Counter()
        self.diary: list[str] = []
        self.competition = self._create()
        self._start()

    @property
    def api(self) -> str:
        return f"/api/v1/competitions/{self.competition.slug}/"

    @property
    def now(self) -> datetime:
        return timezone.now()

    @property
    def own_acts(self) -> list[Callable[[], object]]:
        """Return what players do in a competition of this recipe."""
        own: list[Callable[[], object]] = [self.enter, self.leave, self.wait, self.draw, self.check_in]
        if "ladder" in self.recipe:
            own += [self.challenge, self.challenge]
        if "swiss" in self.recipe:
            own += [self.ask_for_bye, self.take_back_bye]
        return own

    def shape(self, competition: Competition, stages: list[Stage]) -> None:
        """Change what a new competition has, and its stages."""

    def blow(self, acts: int) -> None:
        """Let so many things happen."""
        common = [*[self.act] * 10, *[self.move] * 4, *[self.resign] * 3]
        common += [self.answer, self.run_out_of_time, self.dispute, self.look]
        own = self.own_acts
        elsewhere = [self.challenge, self.ask_for_bye, self.take_back_bye]
        # Whatever comes, somebody has played; on some ladders players have time to choose each other.
        self.sweep()
        while not Match.objects.filter(competition=self.competition.pk, status=Status.PLAYING).exists():
            self.clock.shift(max(PAUSES))
            self.sweep()
        self.resign()
        for _ in range(acts):
            self.clock.shift(self.source.choice(PAUSES))
            self.competition = Competition.objects.get(pk=self.competition.pk)
            if self.competition.status in ENDED and self.source.random() < ANOTHER:
                self._begin_another()
            self.source.choice([*common, *own, *own, self.source.choice(elsewhere)])()
            if self.source.random() < 0.3:
                self.sweep()

    def play_on(self) -> None:
        """Let everybody play until the competition has ended and all is counted."""
        for _ in range(MAX_WAITS):
            self.sweep()
            self.competition = Competition.objects.get(pk=self.competition.pk)
            if self.competition.status in ENDED:
                self.sweep()
                return
            if self.competition.status != CompetitionStatus.RUNNING:
                self._start_again()
            elif self.competition.paused_at is not None:
                self.organise("resume_competition", "resume/", {})
            elif not self._resume_all() and not self._resign_all() and not self._publish_all():
                if self.competition.first_stage.gathers:
                    self.organise("close_competition", "close/", {})
                if isinstance(self.competition, Ladder):
                    self.organise("finish_competition", "finish/", {"reason": "enough"})
                self.clock.shift(WAIT)
        raise AssertionError(f"It never ends, it is {self.competition.status}:\n" + "\n".join(self.diary[-60:]))

    def faults(self) -> list[str]:
        """Return everything that is not as it should be when all is quiet."""
        competition = Competition.objects.get(pk=self.competition.pk)
        waiting = waiting_in_competition(competition=competition, now=self.now) + waiting_in_family(
            family=competition.rules.family
        )
        return [
            *waiting,
            *verify_settled(),
            *([] if waiting else verify_competition(competition=competition, now=self.now)),
            *verify_ratings(family=competition.rules.family),
        ]

    def check(self) -> None:
        """Assert that nothing is wrong, and tell what has happened if something is."""
        faults = self.faults()
        assert not faults, "\n".join(["", *self.diary, "", *faults])

    def sweep(self) -> None:
        """Do what beat would have queued by now."""
        for entry in settings.CELERY_BEAT_SCHEDULE.values():
            if entry["task"].startswith(SWEPT):
                current_app.tasks[entry["task"]]()

    # What organisers do

    def act(self) -> None:
        """Do one of the acts of the table, by its page or by the API."""
        act, subject = self._draw_act()
        if act is None or (self.done[act.operation] and self.source.random() >= SELDOM.get(act.name, 1.0)):
            return
        organiser = self.source.choice([self.boss, self.olga])
        if act.what_follows is not None:
            path = f"{act.path_of(act.on.number_of(subject))}{act.api_path or act.name}/preview/"
            self._note(f"preview of {act.operation}", self.client_of(organiser).get(self.api + path))
        if self.source.random() < 0.5:
            data = {name: self._fill(name, each) for name, each in act.form(subject=subject).fields.items()}
            data = {name: value for name, value in data.items() if value is not None}
            url = act.url(self.competition, subject)
            self.client_of(organiser).get(url)
            answer = self.client_of(organiser).post(url, data)
            self._note(f"page of {act.operation} {act.on.name_of(subject)} {data}", answer)
            # A form that is shown again was not taken.
            self.done[act.operation] += answer.status_code == HTTPStatus.FOUND
            return
        body = {} if act.serializer is None else self._body(act.serializer())
        path = f"{act.path_of(act.on.number_of(subject))}{act.api_path or act.name}/"
        self._send(act.operation, organiser, path, body, act.api_method)

    def draw(self) -> None:
        self.organise("draw", "draw/", {"seed": self.source.randrange(100)})

    def organise(self, operation: str, path: str, body: dict[str, Any], *, method: str = "post") -> Answer:
        return self._send(operation, self.boss, path, body, method)

    # What players do

    def enter(self) -> None:
        self.as_player("enter", self.source.choice(self.players), "enter/", {})

    def leave(self) -> None:
        self.as_player("leave", self.source.choice(self.players), "leave/", {})

    def check_in(self) -> None:
        self.as_player("check_in", self.source.choice(self.players), "check-in/", {})

    def wait(self) -> None:
        """Join the waiting list or leave it, or let the number of places change, so that there is one."""
        if self.source.random() < NARROW:
            self._change_places()
        way, players = "join", self.players
        if self.source.random() < 0.3:
            waiting = WaitingPlayer.objects.filter(competition=self.competition.pk).order_by("pk")
            way, players = "leave", [each.player for each in waiting.select_related("player")] or players
        self.as_player(f"{way}_waiting_list", self.source.choice(players), f"waiting-list/{way}/", {})

    def challenge(self) -> None:
        one, other, *more = self.source.sample(self.players, LOOKED_AT)
        for player in (one, *more):
            answer = self.client_of(player).get(f"{self.api}challenges/")
            listed = answer.json() if answer.status_code == HTTPStatus.OK else []
            offered = [each["opponent"] for each in listed if each["obstacle"] is None]
            if offered:
                self.as_player("challenge", player, "challenges/", {"opponent": self.source.choice(offered)})
                return
        self.as_player("challenge", one, "challenges/", {"opponent": other.username})

    def ask_for_bye(self) -> None:
        body = {"round": self.source.randint(1, ROUNDS)}
        self.as_player("ask_for_bye", self.source.choice(self.players), "bye/", body)

    def take_back_bye(self) -> None:
        asked = Player.objects.filter(
            entries__competition=self.competition.pk, entries__seats__bye_request__isnull=False
        )
        player = self.source.choice([*asked.order_by("pk")] or self.players)
        self.as_player("take_back_bye", player, "bye/take-back/", {})

    def move(self) -> None:
        for match in self._playing(1):
            text = self.source.choice(list(match.state.legal_moves()))
            if match.player_to_act is not None:
                self._play("move", match, match.player_to_act, "moves/", {"ply": match.ply, "text": text})

    def answer(self) -> None:
        """Let the player who waits answer a move beforehand, and mostly let that move come."""
        for match in self._playing(1):
            side, state = Side(match.side), match.state
            line = [self.source.choice(list(state.legal_moves()))]
            after = state.play(line[0])
            if after.turn is not side.opponent:
                continue
            line.append(self.source.choice(list(after.legal_moves())))
            body = {"ply": match.ply, "lines": [line]}
            self._play("answer", match, match.players[side.opponent], "conditional-answers/", body, method="put")
            if self.source.random() < FORESEEN:
                self._play("move", match, match.players[side], "moves/", {"ply": match.ply, "text": line[0]})
                answers = Match.objects.get(pk=match.pk).moves.filter(ply=match.ply + 1)
                assert [move.text for move in answers if move.actor == side.opponent] in ([], [line[1]])

    def resign(self) -> None:
        for match in self._playing(1):
            self._play("resign", match, self.source.choice([match.yellow, match.red]), "resign/", {})

    def run_out_of_time(self) -> None:
        for match in self._playing(1):
            let_time_run_out(match.pk, self.now)
            self.done["run_out_of_time"] += 1
            self.diary.append(f"{self.now:%d. %H:%M} match {match.pk} has no time left")

    def dispute(self) -> None:
        """Let a player dispute a result."""
        counted = Fixture.objects.filter(competition=self.competition.pk, is_annulled=False, counted_at__isnull=False)
        for fixture in self._some(counted.select_related(*SITTING), 1):
            player = self.source.choice(fixture.seated or self.players)
            self.as_player("dispute_result", player, f"fixtures/{fixture.pk}/dispute/", {"text": "It was not so."})

    def look(self) -> None:
        """Look at some pages of the competition, as a visitor or as its organiser."""
        url = self.competition.get_absolute_url()
        pages = ["", "log/", "organise/", "organise/entries/", "organise/fixtures/"]
        reads = ["", "standings/", "places/", "bracket/", "fixtures/", "log/"]
        links = [f"{url}{page}" for page in pages] + [f"{self.api}{page}" for page in reads]
        for link in self.source.sample(links, 3):
            self._note(f"GET {link}", self.client_of(self.source.choice([self.boss, self.players[0]])).get(link))

    def as_player(self, operation: str, player: Player, path: str, body: dict[str, Any]) -> Answer:
        return self._send(operation, player, path, body)

    def client_of(self, player: Player) -> Client:
        """Return a client in which the player is logged in, and has been for days at most."""
        client, since = self._clients.get(player.pk, (None, self.now))
        if client is None or self.now - since > LOG_IN_AGAIN:
            client, since = Client(), self.now
            client.force_login(player)
            self._clients[player.pk] = client, since
        return client

    def _send(self, operation: str, player: Player, path: str, body: dict[str, Any], method: str = "post") -> Answer:
        send = getattr(self.client_of(player), method)
        answer = send(self.api + path, body, content_type="application/json")
        self._note(f"{player} {path} {body}", answer)
        self.done[operation] += answer.status_code < HTTPStatus.MULTIPLE_CHOICES
        return answer

    def _play(
        self, operation: str, match: Match, player: Player, path: str, body: dict[str, Any], method: str = "post"
    ) -> None:
        url = f"/api/v1/matches/{match.pk}/{path}"
        answer = getattr(self.client_of(player), method)(url, body, content_type="application/json")
        self._note(f"{player} {url} {body}", answer)
        self.done[operation] += answer.status_code < HTTPStatus.MULTIPLE_CHOICES

    def _note(self, what: str, answer: Answer) -> None:
        """Keep what was done, and what became of it; nothing may be a fault."""
        code = answer.json().get("code", "") if answer.get("Content-Type", "").endswith("json") else ""
        self.diary.append(f"{self.now:%d. %H:%M} {what}: {answer.status_code} {code}")
        assert answer.status_code < HTTPStatus.INTERNAL_SERVER_ERROR, "\n".join(self.diary[-60:])

    def _playing(self, most: int) -> list[Match]:
        playing = Match.objects.filter(competition=self.competition.pk, status=Status.PLAYING, paused_at=None)
        return self._some(playing.select_related("yellow", "red"), most)

    def _some(self, rows: QuerySet[Row], most: int) -> list[Row]:
        found = list(rows.order_by("pk"))
        return self.source.sample(found, min(most, len(found)))

    def _resume_all(self) -> int:
        """Let an organiser resume the matches that are paused by themselves; return how many."""
        paused = Fixture.objects.filter(competition=self.competition.pk, match__paused_at__isnull=False)
        chosen = list(paused.values_list("pk", flat=True))
        if chosen:
            self.organise("resume_fixtures", "fixtures/resume/", {"fixtures": chosen, "reason": "It has to be."})
        return len(chosen)

    def _resign_all(self) -> int:
        """Let one of both resign in every match; return in how many."""
        playing = self._playing(1000)
        for match in playing:
            self._play("resign", match, self.source.choice([match.yellow, match.red]), "resign/", {})
        return len(playing)

    def _publish_all(self) -> int:
        """Let an organiser publish the rounds that wait; return how many did."""
        proposed = proposed_rounds_of(self.competition)
        for each in proposed:
            query = f"?stage={each.group.stage.number}&group={each.group.number}"
            path = f"proposed-rounds/{each.number}/publish/{query}"
            self.organise("publish_round", path, {"reason": "It has to be."})
        return len(proposed)

    def _start_again(self) -> None:
        """Start a competition whose start was taken back, with enough players."""
        self.organise("open_competition", "open/", {})
        self._start()

    def _start(self) -> None:
        for player in self.players[:ENTRANTS]:
            self.as_player("enter", player, "enter/", {})
        if self.source.random() < CROWDED:
            self._crowd()
        if self.source.random() < CHECKED:
            self._check_in_most()
        answer = self.organise("start_competition", "start/", {})
        if answer.status_code == HTTPStatus.CONFLICT:
            # Too few may have checked in.
            self.organise("call_off_check_in", "call-off-check-in/", {"reason": "enough"})
            self.organise("start_competition", "start/", {})

    def _check_in_most(self) -> None:
        """Open the check-in, and let everybody check in but one, or those who wait too."""
        self.organise("open_check_in", "open-check-in/", {})
        for player in self.source.choice([self.players, self.players[1:ENTRANTS]]):
            self.as_player("check_in", player, "check-in/", {})

    def _crowd(self) -> None:
        """Let more players come than there are places, and some of them go, before it starts."""
        Competition.objects.filter(pk=self.competition.pk).update(max_entrants=ENTRANTS)
        for _ in range(NEWCOMERS):
            self.source.choice([self.wait, self.wait, self.act, self.leave])()

    def _begin_another(self) -> None:
        self.sweep()
        self.check()
        self.competition = self._create()
        self._start()

    def _change_places(self) -> None:
        """Let there be as many places as there are players, or more, or any number."""
        entrants = count_entrants(self.competition)
        competition = Competition.objects.get(pk=self.competition.pk)
        competition.max_entrants = self.source.choice([max(2, entrants), max(2, entrants + 1), None])
        # Of what is over nothing changes, and some stages need more players.
        with suppress(DomainError):
            change_competition(
                competition=competition,
                stage=competition.first_stage,
                changed={"max_entrants"},
                reason="Places.",
                actor=self.boss,
                now=self.now,
            )
            self.diary.append(f"{self.now:%d. %H:%M} there are {competition.max_entrants} places")

    def _entries(self) -> list[Entry]:
        entries = Entry.objects.filter(competition=self.competition.pk).exclude(status=EntryStatus.REPLACED)
        return list(entries.select_related("player").order_by("pk"))

    def _draw_act(self) -> tuple[Act | None, Any]:
        """Draw the kind of thing first: there are many matches, and one competition."""
        subjects = subjects_of(self.competition)
        kinds = sorted({act.on.name for act in ACTS})
        self.source.shuffle(kinds)
        if self.source.random() < SOUGHT:
            # What has not been done yet is mostly seldom possible.
            for kind in kinds:
                undone = [each for each in self._offered(kind, subjects[kind]) if not self.done[each[0].operation]]
                if undone:
                    return self.source.choice(undone)
        kind = kinds[0]
        if not subjects[kind]:
            return None, None
        anything = (
            self.source.choice([act for act in ACTS if act.on.name == kind]),
            self.source.choice(subjects[kind]),
        )
        if self.source.random() >= OFFERED:
            return anything
        return self.source.choice(self._offered(kind, subjects[kind]) or [anything])

    def _offered(self, kind: str, subjects: list[Any]) -> list[tuple[Act, Any]]:
        """Return the acts that pages offer on some things of a kind, and on which."""
        drawn = self.source.sample(subjects, min(LOOKED_AT, len(subjects)))
        acts = [act for act in ACTS if act.on.name == kind]
        rights = RIGHTS[Role.ORGANISER]
        return [(act, each) for each in drawn for act in acts if act.is_offered(self.competition, each, rights)]

    def _fill(self, name: str, field: forms.Field) -> Any:
        """Return something for a field of a form; ``None`` where nothing is sent."""
        if isinstance(field, PairingsVersion):
            # Mostly somebody else has changed them since.
            return self.source.choice([field.initial, None, 1])
        if isinstance(field, PlacedPlayer):
            return self.source.choice([value for value, _label in field.widget.choices if value] or ["nobody"])
        if isinstance(field, Username):
            return self._somebody()
        if isinstance(field, forms.BooleanField):
            return self.source.choice(["on", None])
        if isinstance(field, forms.MultipleChoiceField):
            return []
        if isinstance(field, OutageMoment):
            return self._some_past(name).strftime("%Y-%m-%dT%H:%M")
        if isinstance(field, forms.ChoiceField):
            choices: Any = field.choices
            return self.source.choice([value for value, _label in choices])
        if name == "round_number":
            return self.source.randint(1, ROUNDS)
        if isinstance(field, forms.DecimalField | forms.IntegerField):
            return self.source.randint(1, 6)
        if isinstance(field, MomentField):
            return self._some_date().strftime("%Y-%m-%dT%H:%M")
        return "It has to be."

    def _somebody(self) -> str:
        """Return the name of a player, who is in the competition or not."""
        among = self.source.choice([self.players, [each.player for each in self._entries()] or self.players])
        return self.source.choice(among).username

    def _body(self, serializer: serializers.Serializer[Any]) -> dict[str, Any]:
        return {name: self._value(name, field) for name, field in serializer.fields.items()}

    def _value(self, name: str, field: serializers.Field) -> Any:
        """Return something for a field of the API."""
        if field.allow_null and self.source.random() < 0.3:
            return None
        if isinstance(field, _PlayerField):
            return self._somebody()
        if isinstance(field, serializers.BooleanField):
            return self.source.choice([True, False])
        if isinstance(field, serializers.ChoiceField):
            return self.source.choice(list(field.choices))
        if name == "round":
            return self.source.randint(1, ROUNDS)
        if isinstance(field, serializers.IntegerField):
            return self.source.randint(1, 6) * (3600 if field.max_value and field.max_value > 3600 else 1)
        if isinstance(field, serializers.ListField):
            return []
        if name in {"from", "until"}:
            return self._some_past(name).isoformat()
        if isinstance(field, api_fields.MomentField):
            return self._some_date().isoformat()
        return "It has to be."

    def _some_date(self) -> datetime:
        return self.now + self.source.choice([timedelta(hours=1), timedelta(days=1), timedelta(days=9)])

    def _some_past(self, name: str) -> datetime:
        """Return when an outage began that ends now."""
        return self.now - (timedelta(days=30) if name in {"begins_at", "from"} else timedelta(0))

    def _create(self) -> Competition:
        recipe = RECIPES[self.recipe]
        self.number += 1
        kind = Ladder if recipe.kind == CompetitionKind.LADDER else Cup
        competition: Competition = kind(
            name="Storm", slug=f"storm-{self.number}", game=GAME, max_entrants=ENTRANTS + NEWCOMERS
        )
        stage, *later = make_stages(recipe)
        for each in (stage, *later):
            each.round_days = self.source.choice([None, None, 3]) if kind is Cup else None
            each.at_round_end = self.source.choice(list(RoundEnd))
        stage.late_entry = stage.allows_late_entry
        if stage.abilities.pairs_by_results:
            stage.options = {
                **stage.options,
                "byes_on_request": True,
                "organisers_publish": self.source.choice([True, False]),
            }
        self.shape(competition, [stage, *later])
        create_competition(competition=competition, stage=stage, later=later, creator=self.boss, now=self.now)
        competition.organisers.add(self.olga)
        self.competition = competition
        self.organise("open_competition", "open/", {})
        return competition
