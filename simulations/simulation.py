"""Play a whole competition through by computers, as a worker would do it: every task that is queued is run here.

Nobody waits for anything: where all wait for a later moment, the clock is put forward to it, so that years take
minutes. Tasks are run in a random order, which is as good as any, because no order may make a difference.
``simulation_workers`` lets real workers do it.
"""

import random
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from celery import current_app
from django.db.models import Max, Q

from database.clock import read_clock
from formats.challenge_ladder import AT_ONCE
from formats.protocol import Order
from matches.errors import TooLate
from matches.models import Match
from matches.selectors.computers import unclaimed_turns_in
from matches.selectors.matches import get_match
from matches.services.after_commit import MOVE_COMPUTER
from matches.services.computer_moves import Choice, choose_move, play_choice
from matches.services.resignation import resign
from players.models import Player
from players.services import create_computer
from rules_engine.values import Side
from simulations.clock import SimulatedClock
from simulations.seasons import Seasons, let_come_again
from simulations.teams import enter_teams
from tournaments.decisions.services.status import open_competition
from tournaments.entries.services.admission import enter_competition
from tournaments.making.recipes import CHALLENGE_LADDER, KNOCK_OUT, POINTS_LADDER, RECIPES, make_stages
from tournaments.making.services.competitions import create_competition
from tournaments.models import Competition, CompetitionKind, CompetitionStatus, Cup, Entry, Fixture, Ladder
from tournaments.office.services.after_commit import PAIR_LADDER
from tournaments.records.challenges import challenge_preview
from tournaments.running.services.challenges import challenge
from tournaments.running.services.ladder_pairings import pair_ladder
from tournaments.running.services.settlement import settle_finished
from tournaments.running.services.start import start_competition
from tournaments.running.services.verification import verify_competition, verify_ratings, verify_settled
from tournaments.tables.services.ratings import rate_waiting
from tournaments.tables.services.standings import recompute_stale

_OPTIONS: dict[str, dict[str, Any]] = {
    KNOCK_OUT: {"third_place": True},
    POINTS_LADDER: {"rematch_days": 0},
    CHALLENGE_LADDER: {"rematch_days": 0, "challenges_by": AT_ONCE},
}
"""The options that are set otherwise in the first stage of a recipe that is simulated."""

SHARE_OF_ACTS = 0.1
"""The chance that organisers act between two tasks, as long as they have acts left."""

BY_DATE = (
    "matches.tasks.expire_turns",
    "matches.tasks.give_vacation",
    "tournaments.tasks.start_competitions",
    "tournaments.tasks.announce_seasons",
    "tournaments.tasks.end_rounds",
    "tournaments.tasks.pair_rounds",
    "tournaments.tasks.pause_saved_matches",
)
"""The sweeps that do what is due at a moment."""

STARTS = ("tournaments.tasks.start_competition", "tournaments.tasks.start_competitions")
"""The tasks after which players see that a competition has begun."""

OF_SIMULATIONS = r"^sim-[0-9a-f]+(-[0-9]+)?$"
"""The usernames of those whom simulations make."""

LATEST = timedelta(hours=1)
"""So late, at most, is the moment to which the clock is put forward: all until then is due at once."""


class SiteInUse(Exception):
    """Somebody has an account on the site; the sentence says what would become of their matches."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a simulation: ``recipe`` is the name of one, ``game`` a key in the registry.

    A ladder starts ``max_matches`` matches, or fewer where no more can be started. ``seed`` is that of everything
    random but the dice. With ``moves``, one of both resigns in each match before it has more than so many. More
    ``seasons`` than one are those of a series, which come by their dates, with the finals of years: some players skip
    a season, some are new, and one withdraws in it. So many of the players are ``absent``: they never move, and lose
    on time when their vacation is used up, or without any by a clock of ``bank`` seconds. Of a competition of teams
    they make teams with two substitutes; captains name line-ups for some of the rounds, and one team withdraws.
    Organisers do up to so many ``acts`` in each season.
    """

    recipe: str
    game: str
    players: int
    max_matches: int
    seed: int
    moves: int | None = None
    seasons: int = 1
    absent: int = 0
    bank: int | None = None
    acts: int = 0


@dataclass(slots=True)
class Report:
    """The result: the competition or its last season, its best entrant, how many matches counted, and all faults."""

    competition: Competition
    first: Entry | None
    matches: int
    faults: list[str]


@dataclass(slots=True)
class Worker:
    """Runs the tasks that were queued, one after the other, in a random order.

    With ``search``, computers play the moves of their strategies, otherwise random legal moves.
    """

    plan: Plan
    source: random.Random
    search: bool
    seasons: Seasons
    waiting: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)

    def work(self) -> None:
        """Run tasks until none waits, and let organisers act between them."""
        while self.waiting:
            if self.plan.acts and self.source.random() < SHARE_OF_ACTS:
                self.seasons.act(now=read_clock())
            index = self.source.randrange(len(self.waiting))
            self.waiting[index], self.waiting[-1] = self.waiting[-1], self.waiting[index]
            name, args = self.waiting.pop()
            if name == MOVE_COMPUTER:
                self.move_a_computer()
            elif name == PAIR_LADDER:
                self.pair(*args)
            else:
                current_app.tasks[name](*args)
            if name in STARTS:
                self.seasons.go_on(now=read_clock())

    def move_a_computer(self) -> None:
        """Play for one of the competition's computers that are to act, as the task does for any computer.

        One whose time is over loses by the next sweep.
        """
        now = read_clock()
        waiting = sorted(turn for key in self.seasons.ids() for turn in unclaimed_turns_in(competition=key, now=now))
        if not waiting:
            return
        with suppress(TooLate):
            self.move_in(self.source.choice(waiting))

    def move_in(self, match_id: int) -> None:
        """Play for the computer that is to act in a match, or let one resign. Raises ``TooLate``."""
        match = get_match(match_id)
        resigning = find_resigning(self.plan, match)
        if resigning is not None:
            resign(match_id=match_id, player=resigning, now=read_clock())
            return
        if self.search:
            choice = choose_move(match_id=match_id)
        else:
            text = self.source.choice(list(match.state.legal_moves()))
            choice = Choice(match_id, match.players[Side(match.side)], match.ply, text)
        if choice is not None:
            play_choice(choice, now=read_clock())

    def pair(self, ladder_id: int) -> None:
        """Start the games that the ladder lacks, as far as it may start any more."""
        left = self.plan.max_matches - Fixture.objects.filter(competition=ladder_id).count()
        if left > 0:
            pair_ladder(ladder_id=ladder_id, now=read_clock(), limit=left)


def simulate_competition(plan: Plan, *, search: bool) -> Report:
    """Create a competition of new computers, play it through, and compare everything that is stored with its results.

    What was created stays. Time goes on as ``simulated_time`` says. Raises ``SiteInUse``.
    """
    current_app.loader.import_default_modules()
    with simulated_time(plan) as clock:
        source = random.Random(plan.seed)
        waiting: list[tuple[str, tuple[Any, ...]]] = []
        with listening(waiting):
            seasons = create_simulated(plan, source, now=read_clock())
            play_through(Worker(plan, source, search, seasons, waiting), clock)
        return report_on_seasons(plan, seasons)


@contextmanager
def listening(waiting: list[tuple[str, tuple[Any, ...]]]) -> Iterator[None]:
    """Take the tasks that are queued meanwhile, in the broker's place."""

    def send_task(name: str, args: Any = (), **options: Any) -> None:
        waiting.append((name, tuple(args)))

    current_app.send_task = send_task
    try:
        yield
    finally:
        del current_app.send_task


@contextmanager
def simulated_time(plan: Plan) -> Iterator[SimulatedClock]:
    """Let the site have a clock that can be put forward, and yield it.

    It begins after all that the site has seen before; where seasons follow each other, with the next year, so that
    what happens in a year does not depend on the day of the simulation. Raises ``SiteInUse``.
    """
    _check_nobody_else()
    with tempfile.TemporaryDirectory(prefix="kickabout-clock-") as folder:
        clock = SimulatedClock.in_folder(Path(folder))
        latest = Match.objects.aggregate(at=Max("finished_at"))["at"] or clock.now()
        clock.put_forward(latest)
        if plan.seasons > 1:
            clock.put_forward(datetime(clock.now().year + 1, 1, 1, 12, tzinfo=UTC))
        with clock.installed():
            yield clock


def _check_nobody_else() -> None:
    """Raise ``SiteInUse`` if the site has players whom no simulation has made: all of it gets the simulated time."""
    own = Q(username__regex=OF_SIMULATIONS) | (Q(is_computer=True) & ~Q(level=""))
    somebody = Player.objects.exclude(own).order_by("pk").first()
    if somebody is not None:
        raise SiteInUse(
            f"This site is in use: {somebody.username} has an account. A simulation puts the clock of the whole site "
            "forward, so that matches would be lost on time, and cups would start. Use a site of its own: another "
            "DATA_DIR, or another DATABASE_URL."
        )


def play_through(worker: Worker, clock: SimulatedClock) -> None:
    """Run tasks, and let time go on, until all that has begun is over, with what players do in it."""
    plan, source, seasons = worker.plan, worker.source, worker.seasons
    waited_for: datetime | None = None
    seasons.go_on(now=read_clock())
    while True:
        worker.work()
        now = read_clock()
        if seasons.go_on(now=now) or challenge_somebody(plan, seasons.first, source):
            continue
        if seasons.calls_computers():
            # No task has called it.
            return
        moment = seasons.next_moment(now=now)
        if moment is not None and moment != waited_for:
            waited_for = moment
            clock.put_forward(choose_time(moment, source))
            for sweep in BY_DATE:
                current_app.send_task(sweep)
        elif not seasons.close_entry(now=now) and not seasons.finish_endless(now=now):
            return


def choose_time(moment: datetime, source: random.Random) -> datetime:
    """Return when somebody looks what is due after a moment for which all have waited."""
    return moment + source.random() * LATEST


def find_resigning(plan: Plan, match: Match) -> Player | None:
    """Return the player who resigns a match now, if one does: which, and after how many moves, the seed says."""
    if plan.moves is None:
        return None
    source = random.Random(f"{plan.seed}-{match.pk}")
    return match.players[source.choice(list(Side))] if match.ply >= source.randint(1, plan.moves) else None


def challenge_somebody(plan: Plan, competition: Competition, source: random.Random) -> bool:
    """Let one player of a challenge ladder challenge an allowed opponent; return whether anybody could.

    Raises ``ChallengeRefused`` where a worker has started another game of one of both meanwhile.
    """
    if competition.first_stage.format_spec.order is not Order.POSITIONS:
        return False
    if Fixture.objects.filter(competition=competition.pk).count() >= plan.max_matches:
        return False
    entries = list(Entry.objects.filter(competition=competition.pk, seats__position__gt=1).select_related("player"))
    for entry in source.sample(entries, len(entries)):
        options = challenge_preview(ladder=competition, player=entry.player, now=read_clock())
        opponents = [option.opponent.player for option in options if option.refusal is None]
        if opponents:
            opponent = source.choice(opponents)
            challenge(ladder_id=competition.pk, challenger=entry.player, opponent=opponent, now=read_clock())
            return True
    return False


def create_simulated(plan: Plan, source: random.Random, *, now: datetime) -> Seasons:
    """Create the competition, let new computers enter it, start it, and return it with the seasons to come."""
    token = secrets.token_hex(3)
    computers = [create_computer(username=f"sim-{token}-{number}", now=now) for number in range(1, plan.players + 1)]
    for absent in computers[len(computers) - plan.absent :]:
        absent.is_computer = False
        absent.save(update_fields=["is_computer"])
    recipe = RECIPES[plan.recipe]
    kind = Ladder if recipe.kind == CompetitionKind.LADDER else Cup
    name = f"Simulated {plan.recipe} {token}"
    competition: Competition = kind(name=name, game=plan.game, admits_computers=True, max_entrants=plan.players)
    competition.boards = recipe.boards
    if plan.bank is not None:
        competition.time_bank, competition.time_increment, competition.time_cap = plan.bank, 0, plan.bank
        competition.vacation_limit = 0
    stage, *later = make_stages(recipe)
    stage.options |= _OPTIONS.get(plan.recipe, {})
    create_competition(competition=competition, stage=stage, later=later, creator=computers[0], now=now)
    open_competition(competition_id=competition.pk, actor=None, now=now)
    if plan.seasons > 1:
        let_come_again(competition, now=now)
    if recipe.boards is not None:
        enter_teams(competition, computers, now=now)
    else:
        for computer in computers:
            enter_competition(competition_id=competition.pk, player=computer, now=now)
    start_competition(competition_id=competition.pk, actor=None, now=now)
    return Seasons(competition, plan.seasons, plan.players, plan.acts, source)


def report_on_seasons(plan: Plan, seasons: Seasons) -> Report:
    """Return the report on all seasons of a series and its finals, or on a competition alone, with the last first."""
    reports = [report_on(competition) for competition in seasons.all()]
    faults = [fault for report in reports for fault in report.faults]
    played = sum(report.competition.final_of is None for report in reports)
    if played != plan.seasons:
        faults.append(f"There were {played} seasons, not {plan.seasons}.")
    matches = sum(report.matches for report in reports)
    return Report(reports[-1].competition, reports[-1].first, matches, list(dict.fromkeys(faults)))


def report_on(competition: Competition) -> Report:
    """Compare everything that is stored of a competition, and of ratings in its family of games, with its results."""
    competition.refresh_from_db()
    counted = Fixture.objects.filter(competition=competition.pk, counted_at__isnull=False, is_annulled=False)
    return Report(competition, _find_first(competition), counted.count(), _find_faults(competition))


def _find_first(competition: Competition) -> Entry | None:
    if not competition.is_endless:
        return competition.winner
    if competition.first_stage.format_spec.order is Order.POSITIONS:
        return Entry.objects.filter(competition_id=competition.pk, seats__position=1).first()
    return Entry.objects.filter(competition_id=competition.pk, seats__standing__place=1).first()


def _find_faults(competition: Competition) -> list[str]:
    faults = [] if competition.status == CompetitionStatus.FINISHED else [f"{competition} has not come to its end."]
    faults += [
        f"Match {match} still goes on."
        for match in Match.objects.filter(fixture__competition=competition.pk, finished_at=None).values_list(
            "pk", flat=True
        )
    ]
    now = read_clock()
    left = (settle_finished(now=now), rate_waiting(now=now), recompute_stale(now=now))
    if any(left):
        faults.append("The sweeps found {} unsettled matches, {} unrated ones and {} old tables.".format(*left))
    faults += verify_settled()
    faults += verify_competition(competition=competition, now=now)
    return faults + verify_ratings(family=competition.rules.family)
