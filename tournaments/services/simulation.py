"""Play a whole competition through by computers, as a worker would do it: every task that is queued is run here.

Time is compressed: nobody waits for anything, so that a season takes minutes. Tasks are run in a random
order, which is as good as any, because no order may make a difference. ``simulation_workers`` lets real workers do it.
"""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from celery import current_app
from django.utils import timezone

from matches.errors import TooLate
from matches.models import Match
from matches.models.match import RUNNING
from matches.selectors.computers import unclaimed_turns
from matches.selectors.matches import get_match
from matches.services.after_commit import MOVE_COMPUTER
from matches.services.computer_moves import Choice, choose_move, play_choice
from matches.services.expiry import expire_due
from matches.services.resignation import resign
from players.models import Player
from players.services import create_computer
from rules_engine.values import Side
from tournaments.advancement import AT_ONCE
from tournaments.formats.protocol import Order
from tournaments.models import (
    Competition,
    CompetitionKind,
    CompetitionStatus,
    Cup,
    Entry,
    Fixture,
    Ladder,
)
from tournaments.recipes import CHALLENGE_LADDER, KNOCK_OUT, POINTS_LADDER, RECIPES, make_stages
from tournaments.selectors.ladders import challenge_preview
from tournaments.services.after_commit import PAIR_LADDER
from tournaments.services.competitions import create_competition
from tournaments.services.entries.admission import enter_competition
from tournaments.services.ladders.challenges import challenge
from tournaments.services.ladders.pairings import pair_ladder
from tournaments.services.lifecycle.start import start_competition
from tournaments.services.lifecycle.status import close_competition, finish_competition, open_competition
from tournaments.services.ratings import rate_waiting
from tournaments.services.settlement import settle_finished
from tournaments.services.simulation_acts import act_as_organiser
from tournaments.services.simulation_seasons import begin_next_season, let_come_again, withdraw_somebody
from tournaments.services.simulation_teams import enter_teams, line_up_teams
from tournaments.services.standings import recompute_stale
from tournaments.services.verification import verify_competition, verify_ratings, verify_settled

_OPTIONS: dict[str, dict[str, Any]] = {
    KNOCK_OUT: {"third_place": True},
    POINTS_LADDER: {"rematch_days": 0},
    CHALLENGE_LADDER: {"rematch_days": 0},
}
"""What is otherwise in the first stage of a recipe that is simulated."""

SHARE_OF_ACTS = 0.1
"""How often organisers act between two tasks, as long as they have acts left."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is simulated: ``recipe`` is the name of one, ``game`` a key in the registry.

    A ladder starts ``max_matches`` matches, or fewer where no more can be started. ``seed`` is that of everything
    random but the dice. With ``moves``, one of both resigns in each match before it has more than so many. More
    ``seasons`` than one are those of a series: each follows when the last one has ended, some players skip it, some
    are new, and one withdraws in it. So many of the players are ``absent``: they never move, and lose on time by a
    clock of ``bank`` seconds, ``None`` for the usual one. Of a league of teams they make teams with two substitutes;
    captains name line-ups for some of the rounds, and one team withdraws. Organisers do up to so many ``acts`` in each
    season.
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

    ``competition`` is the one that is played through, in which organisers have ``acts_left``. With ``search``,
    computers play the moves of their strategies, otherwise random legal moves.
    """

    plan: Plan
    source: random.Random
    search: bool
    competition: Competition | None = None
    acts_left: int = 0
    waiting: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take the tasks that are queued meanwhile, in the broker's place."""

        def send_task(name: str, args: Any = (), **options: Any) -> None:
            self.waiting.append((name, tuple(args)))

        current_app.send_task = send_task
        try:
            yield
        finally:
            del current_app.send_task

    def work(self) -> None:
        """Run tasks until none waits, and let organisers act between them."""
        while self.waiting:
            if self.acts_left and self.competition is not None and self.source.random() < SHARE_OF_ACTS:
                self.acts_left -= 1
                act_as_organiser(self.competition, self.source, now=timezone.now())
            index = self.source.randrange(len(self.waiting))
            self.waiting[index], self.waiting[-1] = self.waiting[-1], self.waiting[index]
            name, args = self.waiting.pop()
            if name == MOVE_COMPUTER:
                self.move_a_computer()
            elif name == PAIR_LADDER:
                self.pair(*args)
            else:
                current_app.tasks[name](*args)

    def move_a_computer(self) -> None:
        """Play for one of the competition's computers that are to act, as the task does for any computer.

        One whose time is over loses by the next sweep.
        """
        turns = unclaimed_turns(now=timezone.now()).filter(
            competition=self.competition.pk if self.competition else None
        )
        waiting = list(turns.order_by("pk").values_list("pk", flat=True))
        if not waiting:
            return
        with suppress(TooLate):
            self.move_in(self.source.choice(waiting))

    def move_in(self, match_id: int) -> None:
        """Play for the computer that is to act in a match, or let one resign. Raises ``TooLate``."""
        match = get_match(match_id)
        resigning = find_resigning(self.plan, match)
        if resigning is not None:
            resign(match_id=match_id, player=resigning, now=timezone.now())
            return
        if self.search:
            choice = choose_move(match_id=match_id)
        else:
            text = self.source.choice(list(match.state.legal_moves()))
            choice = Choice(match_id, match.players[Side(match.side)], match.ply, text)
        if choice is not None:
            play_choice(choice, now=timezone.now())

    def pair(self, ladder_id: int) -> None:
        """Start the games that the ladder lacks, as far as it may start any more."""
        left = self.plan.max_matches - Fixture.objects.filter(competition=ladder_id).count()
        if left > 0:
            pair_ladder(ladder_id=ladder_id, now=timezone.now(), limit=left)


def simulate_competition(plan: Plan, *, search: bool, now: datetime) -> Report:
    """Create a competition of new computers, play it through, and compare everything that is stored with its results.

    What was created stays.
    """
    current_app.loader.import_default_modules()
    source = random.Random(plan.seed)
    worker = Worker(plan, source, search)
    with worker.listening():
        seasons = [create_simulated(plan, now=now)]
        play_through(worker, seasons[0])
        while len(seasons) < plan.seasons:
            is_last = len(seasons) + 1 == plan.seasons
            seasons.append(begin_next_season(seasons[-1], source, is_last=is_last, now=timezone.now()))
            play_through(worker, seasons[-1])
    return report_on_seasons(seasons)


def play_through(worker: Worker, competition: Competition) -> None:
    """Run tasks until a competition that has begun is over, with what players do in it."""
    plan, source = worker.plan, worker.source
    worker.competition, worker.acts_left = competition, plan.acts
    change_field(plan, competition, source)
    worker.work()
    while challenge_somebody(plan, competition, source) or wait_for_deadline(plan, competition):
        worker.work()
    end_simulated(competition)
    worker.work()
    competition.refresh_from_db()


def change_field(plan: Plan, competition: Competition, source: random.Random) -> None:
    """Let captains of teams name line-ups, and somebody withdraw from a season or from a league of teams."""
    if competition.boards is not None:
        line_up_teams(competition, source, now=timezone.now())
    if plan.seasons > 1 or competition.boards is not None:
        withdraw_somebody(competition, source, now=timezone.now())


def wait_for_deadline(plan: Plan, competition: Competition) -> bool:
    """Wait until the next of the running clocks is over, and end its match; return whether there was one.

    Nobody waits for usual clocks, which run for days: a match that is stuck is found where the result is compared.
    """
    if plan.bank is None:
        return False
    running = Match.objects.filter(RUNNING, competition=competition.pk)
    deadline = running.order_by("deadline").values_list("deadline", flat=True).first()
    if deadline is None:
        return False
    time.sleep(max(0.0, (deadline - timezone.now()).total_seconds()))
    expire_due(now=timezone.now())
    return True


def end_simulated(competition: Competition) -> None:
    """End a competition that does not end by itself: finish what is endless, close what waits for more players."""
    if competition.is_endless:
        finish_competition(competition_id=competition.pk, actor=None, now=timezone.now())
    elif competition.first_stage.gathers and competition.first_stage.late_entry:
        close_competition(competition_id=competition.pk, actor=None, now=timezone.now())


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
        options = challenge_preview(ladder=competition, player=entry.player, now=timezone.now())
        opponents = [option.opponent.player for option in options if option.refusal is None]
        if opponents:
            opponent = source.choice(opponents)
            challenge(ladder_id=competition.pk, challenger=entry.player, opponent=opponent, now=timezone.now())
            return True
    return False


def create_simulated(plan: Plan, *, now: datetime) -> Competition:
    """Create the competition, let new computers enter it, and start it."""
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
    if stage.advance is not None:
        stage.advance |= {"begins": AT_ONCE}
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
    return competition


def report_on_seasons(seasons: Sequence[Competition]) -> Report:
    """Return the report on all seasons of a series, or on a competition alone, with the first of the last one."""
    reports = [report_on(season) for season in seasons]
    faults = [fault for report in reports for fault in report.faults]
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
    now = timezone.now()
    left = (settle_finished(now=now), rate_waiting(now=now), recompute_stale(now=now))
    if any(left):
        faults.append("The sweeps found {} unsettled matches, {} unrated ones and {} old tables.".format(*left))
    faults += verify_settled()
    faults += verify_competition(competition=competition, now=now)
    return faults + verify_ratings(family=competition.rules.family)
