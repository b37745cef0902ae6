"""``manage.py simulate``: a whole competition played through by computers, and everything compared afterwards."""

import signal
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from formats.stage_plans import fewest_entrants
from rules_engine.registry import GAMES
from simulations.simulation import Plan, Report, SiteInUse, simulate_competition
from simulations.teams import SUBSTITUTES
from simulations.workers import Crew, WorkersImpossible, processor_time, simulate_with_workers
from tournaments.making.recipes import KNOCK_OUT, RECIPES, make_stages
from tournaments.models import CompetitionKind


class Command(BaseCommand):
    """Plays a competition through."""

    help = (
        "Creates a competition, lets computers enter and play it to its end through the site's services and tasks, "
        "and ends with status 1 unless every table, position and rating is what the results give and nothing waits. "
        "Its players, matches and ratings stay, and the clock of the whole site is put forward: use a site of its own. "
        "The command refuses a site on which somebody has an account."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options: what to play, how much, and how well."""
        parser.add_argument("--recipe", choices=list(RECIPES), default=KNOCK_OUT, help="default: %(default)s")
        parser.add_argument("--game", choices=list(GAMES), default=next(iter(GAMES)), help="default: %(default)s")
        parser.add_argument("--players", type=int, default=64, help="how many enter (default: 64)")
        parser.add_argument(
            "--seasons", type=int, default=1, help="how many seasons of it, one after the other (default: 1)"
        )
        parser.add_argument("--matches", type=int, default=1000, help="matches of a ladder (default: 1000)")
        parser.add_argument("--seed", type=int, default=1, help="seed of the random moves and task order (default: 1)")
        parser.add_argument(
            "--moves",
            type=int,
            metavar="N",
            help="let one of the two players resign before a match has more than N moves (default: never)",
        )
        parser.add_argument(
            "--absent",
            type=int,
            default=0,
            metavar="N",
            help="let N of the players never move, and lose on time (default: 0)",
        )
        parser.add_argument(
            "--bank",
            type=int,
            metavar="SECONDS",
            help="time of each player for a match, without vacation (default: ten days)",
        )
        parser.add_argument(
            "--acts",
            type=int,
            default=0,
            metavar="N",
            help="organisers decide, annul, replay, pause, replace and take back up to N times a season (default: 0)",
        )
        parser.add_argument(
            "--search", action="store_true", help="play the computer's own moves instead of random ones (slower)"
        )
        parser.add_argument(
            "--workers",
            type=int,
            metavar="N",
            help="let N worker processes do all that is queued, computers' own moves too; this needs PostgreSQL and a "
            "broker (default: this process does it)",
        )
        parser.add_argument("--kill", action="store_true", help="kill a worker when half of the matches are over")
        parser.add_argument(
            "--seconds", type=float, default=600.0, help="stop if nothing changes for so many seconds (default: 600)"
        )

    def handle(
        self,
        *args: Any,
        players: int,
        workers: int | None = None,
        kill: bool = False,
        seconds: float = 600.0,
        **options: Any,
    ) -> None:
        """Run the simulation. Raises ``CommandError`` for any fault."""
        recipe = RECIPES[options["recipe"]]
        least = fewest_entrants(make_stages(recipe))
        if least is not None and recipe.boards is not None:
            least *= recipe.boards + SUBSTITUTES
        if least is None or players < least:
            raise CommandError(f"This competition needs at least {least} players.")
        if options["seasons"] < 1:
            raise CommandError("There is at least one season.")
        if options["seasons"] > 1 and recipe.kind == CompetitionKind.LADDER:
            raise CommandError("A ladder has no end after which another season could come.")
        if not 0 <= options["absent"] <= players:
            raise CommandError(f"Between none and all of the {players} players are absent.")
        if kill and (workers is None or workers < 2):
            raise CommandError("One of the workers is killed, and others go on: --kill needs --workers 2 or more.")
        if not connection.introspection.table_names():
            call_command("migrate", verbosity=0)
        plan = Plan(
            recipe=options["recipe"],
            game=options["game"],
            players=players,
            max_matches=options["matches"],
            seed=options["seed"],
            moves=options["moves"],
            seasons=options["seasons"],
            absent=options["absent"],
            bank=options["bank"],
            acts=options["acts"],
        )
        begun = processor_time()
        try:
            if workers is None:
                report = simulate_competition(plan, search=options["search"])
            else:
                report = self.simulate_with_workers(plan, Crew(workers, kill, seconds))
        except SiteInUse as reason:
            raise CommandError(str(reason)) from reason
        for fault in report.faults:
            self.stdout.write(fault)
        if report.faults:
            raise CommandError(f"{len(report.faults)} things are not as they should be.")
        self.stdout.write(
            self.style.SUCCESS(
                f"{report.competition}: {report.matches} matches, first is {report.first}. "
                "Every table is what its results give, no match is unsettled, and nothing waits. "
                f"It took {processor_time() - begun:.0f} seconds of processor time."
            )
        )

    def simulate_with_workers(self, plan: Plan, crew: Crew) -> Report:
        """Return the report of a simulation by worker processes; raises ``CommandError`` where there can be none."""
        # The end of the command, or of its terminal, stops its workers, too. nohup is obeyed.
        for sign in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(sign) is not signal.SIG_IGN:
                signal.signal(sign, lambda *_: sys.exit(1))
        try:
            return simulate_with_workers(plan, crew)
        except WorkersImpossible as reason:
            raise CommandError(str(reason)) from reason
