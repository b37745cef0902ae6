"""The demo season: who plays, which competitions there are, and how the days go by."""

import heapq
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from matches.models import Match, Status
from players.models import Player
from players.selectors import find_player
from simulations.demo.matches import chooser, play_on
from simulations.demo.plans import DAY, Plan, plan_competitions, plan_seasons
from tournaments.decisions.services.round_expiry import end_due_rounds
from tournaments.decisions.services.status import announce, close_competition, open_competition
from tournaments.entries.services.admission import enter_competition
from tournaments.entries.services.line_ups import set_line_up
from tournaments.entries.services.team_entries import enter_team
from tournaments.entries.services.withdrawal import leave_competition
from tournaments.making.selectors.series import series_due
from tournaments.making.services.competitions import create_competition
from tournaments.making.services.seasons import announce_if_due
from tournaments.making.services.series import make_series
from tournaments.models import Competition, ShirtColour, ShirtPattern, Team, Title
from tournaments.office.services.locks import lock_competition
from tournaments.records.competitions import competitions_due
from tournaments.records.groups import groups_to_pair
from tournaments.running.services.catch_up import catch_up
from tournaments.running.services.ladder_pairings import pair_ladder
from tournaments.running.services.settlement import settle_finished, settle_match
from tournaments.running.services.start import start_competition, start_competition_if_due
from tournaments.tables.services.ratings import rate_waiting
from tournaments.tables.services.standings import recompute_stale
from tournaments.teams.services.members import accept_team_invitation, invite_to_team
from tournaments.teams.services.teams import found_team

CLUBS = (
    ("Canal Street", ShirtPattern.STRIPES, ShirtColour.RED, ShirtColour.WHITE),
    ("Harbour Lights", ShirtPattern.SASH, ShirtColour.NAVY, ShirtColour.YELLOW),
    ("North Yard", ShirtPattern.PLAIN, ShirtColour.GREEN, ShirtColour.WHITE),
    ("Old Mill", ShirtPattern.HALVES, ShirtColour.BLACK, ShirtColour.SKY),
    ("Red Lanterns", ShirtPattern.HOOPS, ShirtColour.ORANGE, ShirtColour.CLARET),
    ("Tram Depot", ShirtPattern.SLEEVES, ShirtColour.PURPLE, ShirtColour.WHITE),
)
SUBSTITUTES = 1


def found_clubs(*, players: Sequence[Player], count: int, boards: int, now: datetime) -> list[Team]:
    """Let players found so many clubs, invite others and join, and return the clubs. Each has a substitute."""
    size = boards + SUBSTITUTES
    clubs = []
    for number, (name, pattern, first_colour, second_colour) in enumerate(CLUBS[:count]):
        captain, *others = players[number * size : (number + 1) * size]
        club = found_team(
            name=_free_name(name),
            pattern=pattern,
            first_colour=first_colour,
            second_colour=second_colour,
            captain=captain,
            now=now,
        )
        for player in others:
            invite_to_team(team_id=club.pk, player=player, actor=captain, now=now)
            accept_team_invitation(team_id=club.pk, player=player, now=now)
        clubs.append(club)
    return clubs


def enter_clubs(*, league: Competition, clubs: Sequence[Team], now: datetime) -> None:
    """Let captains enter their clubs, with themselves at the first board."""
    for club in clubs:
        players = _members_of(club)[: league.boards]
        enter_team(competition_id=league.pk, team_id=club.pk, players=players, actor=club.captain, now=now)


def name_line_ups(*, league: Competition, now: datetime) -> None:
    """Let two captains of a league that has begun name line-ups: a board stays empty once, then a substitute plays."""
    entries = league.entries.order_by("pk").select_related("team__captain")
    for round_number, entry in enumerate(entries, start=1):
        if entry.team is None or round_number not in {2, 3}:
            continue
        first, second, *others = _members_of(entry.team)
        for number, players in ((round_number, [first, second]), (round_number + 1, [second, *others])):
            set_line_up(entry_id=entry.pk, round_number=number, players=players, actor=entry.team.captain, now=now)


def _members_of(club: Team) -> list[int]:
    """Return the ids of the members, the captain's first."""
    return list(club.memberships.filter(ended_at=None).order_by("pk").values_list("player", flat=True))


def _free_name(name: str) -> str:
    """Return a name for a club that no other has, on a site that has had a season."""
    number, free = 1, name
    while Team.objects.filter(folded_name=free.casefold()).exists():
        number += 1
        free = f"{name} {number}"
    return free


NAMES = (
    "Amara Bartek Chiara Dmitri Elif Fadumo Grzegorz Hanneke Ines Jakub Katarina Lwazi Marek Noor Oluwaseun Petra "
    "Quentin Radka Sipho Tereza Uwe Veerle Wojtek Xenia Yusuf Zdenka"
).split()
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


def seed_demo(
    *, now: datetime, seed: int = 1, password: str | None = None, again: bool = False, full: bool = False
) -> DemoSeason:
    """Play a season of six weeks that ends now, and return it: all of it or nothing.

    A ``full`` one has what comes again, too, since three months: a championship, cups of the week and the month; and
    mini cups, and a league of clubs.

    Nobody can log in as one of its players unless ``password``, of any length, gives them one. Raises
    ``CompetitionsExist`` on a site that has competitions, unless called with ``again``.
    """
    if Competition.objects.exists() and not again:
        raise CompetitionsExist("This site has competitions already.")
    with transaction.atomic():
        return _Season(now, random.Random(seed), password, full=full).play()


class _Season:
    def __init__(self, now: datetime, rnd: random.Random, password: str | None, *, full: bool) -> None:
        self.now, self.rnd, self.password = now, rnd, password
        self.start = now - LENGTH
        seasons = plan_seasons(now, self.start) if full else []
        self.plans = sorted([*plan_competitions(), *seasons], key=lambda plan: plan.day)
        self.first_day = min([0, *(plan.day for plan in self.plans)])
        organiser, *others = NAMES
        # A player who is not staff could have only a few competitions unfinished at once, and would see no admin.
        self.people = [self.make_player(organiser, is_staff=True), *map(self.make_player, others)]
        self.skill_of = {player.pk: MIN_SKILL + (1 - MIN_SKILL) * rnd.random() for player in self.people}
        self.competitions: list[Competition] = []
        self.plan_of: dict[int, Plan] = {}
        self.going_on: set[int] = set()
        self.played: set[int] = set()
        self.to_settle: list[tuple[datetime, int, int]] = []

    def play(self) -> DemoSeason:
        """Let the days go by until now: what starts, is played, ends and is counted, each in its time."""
        for day in range(self.first_day, LENGTH // DAY + 1):
            at = self.start + day * DAY
            while self.plans and self.plans[0].day <= day:
                self.begin(self.plans.pop(0), at)
            self.announce_seasons(at)
            for competition_id in list(competitions_due(at).filter(pk__in=self.plan_of).values_list("pk", flat=True)):
                start_competition_if_due(competition_id=competition_id, now=at)
            for competition in self.competitions:
                self.join_later(competition, day, at)
                self.move_on(competition, at)
            for ladder in self.ladders():
                pair_ladder(ladder_id=ladder.pk, now=at)
            end_due_rounds(now=at)
            settle_finished(now=at)
            self.play_a_day(min(at + DAY, self.now))
        # Competitions that have begun since the last result have tables, too.
        recompute_stale(now=self.now)
        return DemoSeason(tuple(self.people), tuple(self.competitions), len(self.played))

    def begin(self, plan: Plan, at: datetime) -> None:
        """Make a competition, let players enter it, and start it."""
        competition, organiser = plan.competition, self.people[0]
        stage, *later = plan.make_stages()
        create_competition(competition=competition, stage=stage, later=later, creator=organiser, now=at)
        self.competitions.append(competition)
        self.plan_of[competition.pk] = plan
        open_competition(competition_id=competition.pk, actor=organiser, now=at)
        if plan.series is not None:
            make_series(competition=competition, options=plan.series, actor=organiser, now=at)
        if competition.boards is None:
            self.enter(competition, self.rnd.sample(self.people[1:], plan.entrants), at)
        else:
            players = self.rnd.sample(self.people[1:], len(self.people) - 1)
            clubs = found_clubs(players=players, count=plan.entrants, boards=competition.boards, now=at)
            enter_clubs(league=competition, clubs=clubs, now=at)
        if plan.starts:
            start_competition(competition_id=competition.pk, actor=organiser, now=at)
        if competition.boards is not None:
            name_line_ups(league=competition, now=at)
        if plan.words:
            announce(competition_id=competition.pk, actor=organiser, text=plan.words, now=at)

    def announce_seasons(self, at: datetime) -> None:
        """Announce the seasons that are due, and let players join them."""
        plans = {each.series_id: self.plan_of[each.pk] for each in self.competitions if each.series_id is not None}
        for series_id in sorted(plans.keys() & {*series_due(at)}):
            announce_if_due(series_id=series_id, now=at)
            plan, known = plans[series_id], [*self.plan_of]
            for season in Competition.objects.filter(series=series_id).exclude(pk__in=known).order_by("pk"):
                self.competitions.append(season)
                self.plan_of[season.pk] = plan
                if season.final_of is None:
                    self.join_season(season, plan, at)

    def join_season(self, season: Competition, plan: Plan, at: datetime) -> None:
        """Let players join a season that was announced; where they come along by themselves, let some skip it."""
        entered = list(season.entries.order_by("pk").select_related("player"))
        others = [player for player in self.people[1:] if player not in {entry.player for entry in entered}]
        count = plan.new if entered else plan.entrants
        if season.starts_at is not None and season.starts_at > self.now:
            # Others join until it starts.
            count //= 2
        champions = set(Title.objects.filter(competition__series=season.series_id).values_list("player", flat=True))
        leavers = [entry for entry in entered if entry.player_id not in champions]
        for entry in self.rnd.sample(leavers, plan.new) if leavers else ():
            leave_competition(entry_id=entry.pk, now=at)
        self.enter(season, self.rnd.sample(others, count), at)

    def join_later(self, competition: Competition, day: int, at: datetime) -> None:
        """Let somebody join a competition that runs, or its organiser close it when enough have."""
        plan = self.plan_of[competition.pk]
        days = day - plan.day
        if 0 < days <= plan.days_of_entry:
            taken = set(competition.entries.values_list("player", flat=True))
            free = [player for player in self.people[1:] if player.pk not in taken]
            self.enter(competition, [self.rnd.choice(free)], at)
        elif plan.closes and days == plan.days_of_entry + 1:
            close_competition(competition_id=competition.pk, actor=self.people[0], now=at)

    def move_on(self, competition: Competition, at: datetime) -> None:
        """Begin what follows results, or a day, in a competition where a task would do that."""
        stage = competition.first_stage
        if stage.gathers or stage.goes_by_months:
            with transaction.atomic():
                catch_up(competition=lock_competition(competition_id=competition.pk), now=at)

    def enter(self, competition: Competition, players: Sequence[Player], at: datetime) -> None:
        """Let these players enter a competition."""
        for player in players:
            enter_competition(competition_id=competition.pk, player=player, now=at)

    def play_a_day(self, until: datetime) -> None:
        """Play all matches until a moment, those too that begin meanwhile; count what ends, in the order of its end."""
        self.play_matches(self.matches().filter(pk__in=self.going_on), until)
        self.play_matches(self.matches().exclude(pk__in=self.going_on), until)
        while self.to_settle:
            at, match_id, competition_id = heapq.heappop(self.to_settle)
            settle_match(match_id=match_id, now=at)
            recompute_stale(now=at)
            rate_waiting(now=at)
            competition = next(each for each in self.competitions if each.pk == competition_id)
            if competition.is_endless:
                pair_ladder(ladder_id=competition.pk, now=at)
            elif groups_to_pair().filter(stage__competition=competition_id).exists():
                self.move_on(competition, at)
            self.play_matches(self.matches().exclude(pk__in=self.going_on), until)

    def matches(self) -> QuerySet[Match]:
        """Return the season's matches that are being played."""
        playing = Match.objects.filter(status=Status.PLAYING, competition__in=self.plan_of)
        return playing.select_related("yellow", "red").order_by("pk")

    def play_matches(self, matches: QuerySet[Match], until: datetime) -> None:
        """Play the matches until a moment, and note when those end that do."""
        for match in list(matches):
            self.going_on.add(match.pk)
            self.played.add(match.pk)
            choose, plan = chooser(match, self.skill_of, self.rnd), self.plan_of[match.competition or 0]
            played = play_on(match_id=match.pk, choose=choose, until=until, rnd=self.rnd, max_pause=plan.max_pause)
            if played.finished_at is not None:
                self.going_on.remove(match.pk)
                heapq.heappush(self.to_settle, (played.finished_at, played.pk, match.competition or 0))

    def ladders(self) -> list[Competition]:
        """Return the season's ladders."""
        return [competition for competition in self.competitions if competition.is_endless]

    def make_player(self, name: str, *, is_staff: bool = False) -> Player:
        username, number = name, 1
        while find_player(username=username) is not None:
            number += 1
            username = f"{name}{number}"
        player = Player(username=username, date_joined=self.start + self.first_day * DAY, is_staff=is_staff)
        player.set_password(self.password)
        player.save()
        return player
