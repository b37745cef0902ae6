"""The demo season: who plays, which events there are, and how the days go by."""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from matches.models import Match, Status
from players.models import Player
from players.selectors import find_player
from players.services import sign_up
from tournaments.models import Cup, Event, Ladder
from tournaments.services.creating import create_event
from tournaments.services.cups.deadlines import end_due_rounds
from tournaments.services.demo.plans import Plan, plan_events
from tournaments.services.demo.playing import chooser, play_on
from tournaments.services.entries.entering import enter_event
from tournaments.services.ladders.pairing import pair_ladder, pair_ladders
from tournaments.services.lifecycle.stages import announce, open_event
from tournaments.services.lifecycle.starting import start_event
from tournaments.services.ratings import rate_waiting
from tournaments.services.settlement import settle_match
from tournaments.services.standings import recompute_wanted

NAMES = (
    "Amara Bartek Chiara Dmitri Elif Fadumo Grzegorz Hanneke Ines Jakub Katarina Lwazi Marek Noor Oluwaseun Petra "
    "Quentin Radka Sipho Tereza Uwe Veerle Wojtek Xenia Yusuf Zdenka"
).split()
DAY = timedelta(days=1)
LENGTH = 42 * DAY
LEAST_SKILL = 0.25


class EventsExist(Exception):
    """A demo season is for a site that has no events."""


@dataclass(frozen=True, slots=True)
class DemoSeason:
    """What was made: the players in the order of their names, the events, and how many matches they have."""

    players: tuple[Player, ...]
    events: tuple[Ladder | Cup, ...]
    matches: int


def seed_demo(*, now: datetime, seed: int = 1, password: str | None = None, again: bool = False) -> DemoSeason:
    """Play a season of six weeks that ends now, and return it: all of it or nothing.

    Nobody can log in as one of its players unless ``password`` gives them one. Raises ``EventsExist``
    on a site that has events, unless it is wanted ``again``.
    """
    if Event.objects.exists() and not again:
        raise EventsExist("This site has events already.")
    with transaction.atomic():
        return _Season(now, random.Random(seed), password).play()


class _Season:
    def __init__(self, now: datetime, rnd: random.Random, password: str | None) -> None:
        self.now, self.rnd, self.password = now, rnd, password
        self.start = now - LENGTH
        self.people = [self.make_player(name) for name in NAMES]
        self.skill_of = {player.pk: LEAST_SKILL + (1 - LEAST_SKILL) * rnd.random() for player in self.people}
        self.events: list[Ladder | Cup] = []
        self.known: set[int] = set(Match.objects.filter(status=Status.PLAYING).values_list("pk", flat=True))
        self.played: set[int] = set()
        self.to_settle: list[tuple[datetime, int]] = []

    def play(self) -> DemoSeason:
        """Let the days go by until now: what starts, is played, ends and is counted, each in its time."""
        plans = plan_events()
        for day in range(LENGTH // DAY + 1):
            at = self.start + day * DAY
            while plans and plans[0].day <= day:
                self.begin(plans.pop(0), at)
            pair_ladders(now=at)
            end_due_rounds(now=at)
            self.play_new()
            self.settle(min(at + DAY, self.now))
        return DemoSeason(tuple(self.people), tuple(self.events), len(self.played))

    def begin(self, plan: Plan, at: datetime) -> None:
        """Make an event, let players enter it, and start it."""
        event, organiser = plan.event, self.people[0]
        create_event(event=event, creator=organiser, now=at)
        self.events.append(event)
        open_event(event_id=event.pk, actor=organiser, now=at)
        for player in self.rnd.sample(self.people[1:], plan.entrants):
            enter_event(event_id=event.pk, player=player, now=at)
        if plan.starts:
            start_event(event_id=event.pk, actor=organiser, now=at)
        if plan.words:
            announce(event_id=event.pk, actor=organiser, text=plan.words, now=at)

    def play_new(self) -> None:
        """Play all matches that have begun as far as they come; their results are counted when their time has come."""
        new = Match.objects.filter(status=Status.PLAYING).exclude(pk__in=self.known)
        for match in list(new.select_related("yellow", "red").order_by("pk")):
            self.known.add(match.pk)
            self.played.add(match.pk)
            choose = chooser(match, self.skill_of, self.rnd)
            played = play_on(match_id=match.pk, choose=choose, until=self.now, rnd=self.rnd)
            if played.finished_at is not None:
                heapq.heappush(self.to_settle, (played.finished_at, played.pk))

    def settle(self, until: datetime) -> None:
        """Count what has ended until a moment, in order, and play what begins by it."""
        while self.to_settle and self.to_settle[0][0] <= until:
            at, match_id = heapq.heappop(self.to_settle)
            settle_match(match_id=match_id, now=at)
            recompute_wanted(now=at)
            rate_waiting(now=at)
            for event in self.events:
                if isinstance(event, Ladder) and event.fixtures.filter(match=match_id).exists():
                    pair_ladder(ladder_id=event.pk, now=at)
            self.play_new()

    def make_player(self, name: str) -> Player:
        username, number = name, 1
        while find_player(username=username) is not None:
            number += 1
            username = f"{name}{number}"
        if self.password is not None:
            return sign_up(username=username, email="", password=self.password, guest=None, now=self.start)
        player = Player(username=username, date_joined=self.start)
        player.set_unusable_password()
        player.save()
        return player
