"""The demo season: who plays, which competitions there are, and how the days go by."""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from matches.models import Match, Status
from players.models import Player
from players.selectors import find_player
from tournaments.models import Competition
from tournaments.services.competitions import create_competition
from tournaments.services.cups.round_expiry import end_due_rounds
from tournaments.services.demo.matches import chooser, play_on
from tournaments.services.demo.plans import Plan, plan_competitions
from tournaments.services.entries.admission import enter_competition
from tournaments.services.ladders.pairings import pair_ladder
from tournaments.services.lifecycle.start import start_competition
from tournaments.services.lifecycle.status import announce, open_competition
from tournaments.services.ratings import rate_waiting
from tournaments.services.settlement import settle_finished, settle_match
from tournaments.services.standings import recompute_stale

NAMES = (
    "Amara Bartek Chiara Dmitri Elif Fadumo Grzegorz Hanneke Ines Jakub Katarina Lwazi Marek Noor Oluwaseun Petra "
    "Quentin Radka Sipho Tereza Uwe Veerle Wojtek Xenia Yusuf Zdenka"
).split()
DAY = timedelta(days=1)
LENGTH = 42 * DAY
MIN_SKILL = 0.25


class CompetitionsExist(Exception):
    """A demo season is for a site that has no competitions."""


@dataclass(frozen=True, slots=True)
class DemoSeason:
    """The created players in the order of their names, the competitions, and how many matches they have."""

    players: tuple[Player, ...]
    competitions: tuple[Competition, ...]
    matches: int


def seed_demo(*, now: datetime, seed: int = 1, password: str | None = None, again: bool = False) -> DemoSeason:
    """Play a season of six weeks that ends now, and return it: all of it or nothing.

    Nobody can log in as one of its players unless ``password``, of any length, gives them one. Raises
    ``CompetitionsExist`` on a site that has competitions, unless called with ``again``.
    """
    if Competition.objects.exists() and not again:
        raise CompetitionsExist("This site has competitions already.")
    with transaction.atomic():
        return _Season(now, random.Random(seed), password).play()


class _Season:
    def __init__(self, now: datetime, rnd: random.Random, password: str | None) -> None:
        self.now, self.rnd, self.password = now, rnd, password
        self.start = now - LENGTH
        organiser, *others = NAMES
        # Who is no staff could have only a few competitions unfinished at once, and would see no admin.
        self.people = [self.make_player(organiser, is_staff=True), *map(self.make_player, others)]
        self.skill_of = {player.pk: MIN_SKILL + (1 - MIN_SKILL) * rnd.random() for player in self.people}
        self.competitions: list[Competition] = []
        self.foreign = set(Match.objects.filter(status=Status.PLAYING).values_list("pk", flat=True))
        self.going_on: set[int] = set()
        self.played: set[int] = set()
        self.to_settle: list[tuple[datetime, int]] = []

    def play(self) -> DemoSeason:
        """Let the days go by until now: what starts, is played, ends and is counted, each in its time."""
        plans = plan_competitions()
        for day in range(LENGTH // DAY + 1):
            at = self.start + day * DAY
            while plans and plans[0].day <= day:
                self.begin(plans.pop(0), at)
            for ladder in self.ladders():
                pair_ladder(ladder_id=ladder.pk, now=at)
            end_due_rounds(now=at)
            settle_finished(now=at)
            self.play_a_day(min(at + DAY, self.now))
        return DemoSeason(tuple(self.people), tuple(self.competitions), len(self.played))

    def begin(self, plan: Plan, at: datetime) -> None:
        """Make a competition, let players enter it, and start it."""
        competition, organiser = plan.competition, self.people[0]
        stage, *later = plan.make_stages()
        create_competition(competition=competition, stage=stage, later=later, creator=organiser, now=at)
        self.competitions.append(competition)
        open_competition(competition_id=competition.pk, actor=organiser, now=at)
        for player in self.rnd.sample(self.people[1:], plan.entrants):
            enter_competition(competition_id=competition.pk, player=player, now=at)
        if plan.starts:
            start_competition(competition_id=competition.pk, actor=organiser, now=at)
        if plan.words:
            announce(competition_id=competition.pk, actor=organiser, text=plan.words, now=at)

    def play_a_day(self, until: datetime) -> None:
        """Play all matches until a moment, those too that begin meanwhile; count what ends, in the order of its end."""
        self.play_matches(self.matches().filter(pk__in=self.going_on), until)
        self.play_matches(self.matches().exclude(pk__in=self.going_on), until)
        while self.to_settle:
            at, match_id = heapq.heappop(self.to_settle)
            settle_match(match_id=match_id, now=at)
            recompute_stale(now=at)
            rate_waiting(now=at)
            for ladder in self.ladders():
                if ladder.fixtures.filter(match=match_id).exists():
                    pair_ladder(ladder_id=ladder.pk, now=at)
            self.play_matches(self.matches().exclude(pk__in=self.going_on), until)

    def matches(self) -> QuerySet[Match]:
        """Return the season's matches that are being played."""
        playing = Match.objects.filter(status=Status.PLAYING).exclude(pk__in=self.foreign)
        return playing.select_related("yellow", "red").order_by("pk")

    def play_matches(self, matches: QuerySet[Match], until: datetime) -> None:
        """Play the matches until a moment, and note when those end that do."""
        for match in list(matches):
            self.going_on.add(match.pk)
            self.played.add(match.pk)
            choose = chooser(match, self.skill_of, self.rnd)
            played = play_on(match_id=match.pk, choose=choose, until=until, rnd=self.rnd)
            if played.finished_at is not None:
                self.going_on.remove(match.pk)
                heapq.heappush(self.to_settle, (played.finished_at, played.pk))

    def ladders(self) -> list[Competition]:
        """Return the season's ladders."""
        return [competition for competition in self.competitions if competition.is_endless]

    def make_player(self, name: str, *, is_staff: bool = False) -> Player:
        username, number = name, 1
        while find_player(username=username) is not None:
            number += 1
            username = f"{name}{number}"
        player = Player(username=username, date_joined=self.start, is_staff=is_staff)
        player.set_password(self.password)
        player.save()
        return player
