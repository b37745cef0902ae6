"""Fill a fresh site with a season to look at."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from database.clock import read_clock
from simulations.demo import CompetitionsExist, seed_demo


class Command(BaseCommand):
    """``manage.py seed_demo``: players, ladders and cups, every match played by the engine."""

    help = "Migrate, then fill a fresh site with players, ladders and cups: running, finished and open for entry."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take which season, and whether one can log in to it."""
        parser.add_argument("--seed", type=int, default=1, help="with the same seed, much the same season (default: 1)")
        parser.add_argument(
            "--password", help="any password: with it you can log in as each of the players, one of them staff"
        )
        parser.add_argument(
            "--full",
            action="store_true",
            help="with series, too: a championship, weekly and monthly cups, mini cups, clubs",
        )
        parser.add_argument("--again", action="store_true", help="fill the site even if it already has competitions")

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate the database, play the season, then print what there is to see."""
        call_command("migrate", interactive=False, verbosity=0)
        try:
            season = seed_demo(
                now=read_clock(),
                **{name: options[name] for name in ("seed", "password", "again", "full")},
            )
        except CompetitionsExist as refusal:
            raise CommandError(f"{refusal} --again adds a season all the same.") from refusal
        names = ", ".join(player.username for player in season.players)
        self.stdout.write(f"{season.matches} matches of {len(season.players)} players: {names}")
        for competition in season.competitions:
            competition.refresh_from_db()
            self.stdout.write(
                f"  {competition.get_absolute_url():32} {competition.name}, {competition.get_status_display()}"
            )
        self.stdout.write(f"They are organised by {season.players[0].username}, who is staff.")
