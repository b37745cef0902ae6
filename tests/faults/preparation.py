"""``python -m tests.faults.preparation PLAYERS CUP_PLAYERS SECONDS``: a fresh database, a running ladder and cup.

Matches of the ladder have so many seconds, those of the cup have days. Prints, as JSON, the secrets of the players'
tokens and of the organiser's.
"""

import json
import subprocess
import sys

import django

from tests.plugins.real_servers import find_postgresql

ORGANISER = "organiser"
LADDER = "ladder"
CUP = "cup"


def copy_tables(original: str, database: str) -> None:
    """Copy all tables from one database into another one, which is empty."""
    programs = find_postgresql()
    with subprocess.Popen([programs / "pg_dump", "--no-owner", original], stdout=subprocess.PIPE) as dump:
        options = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"]
        subprocess.run(
            [str(programs / "psql"), *options, database], check=True, stdin=dump.stdout, stdout=subprocess.DEVNULL
        )
    assert dump.returncode == 0, f"pg_dump ended with {dump.returncode}"


def prepare(players: int, cup_players: int, seconds: int) -> dict[str, str]:
    """Migrate what was not copied, create players with mail addresses, start both competitions; secrets by username."""
    from django.core.management import call_command
    from django.utils import timezone

    from players.models import Player, Scope
    from players.services.tokens import create_token
    from tests.faults.settings import SHORT_GAME
    from tournaments.decisions.services.status import open_competition
    from tournaments.entries.services.admission import enter_competition
    from tournaments.making.services.competitions import create_competition
    from tournaments.models import Cup, Ladder, Seeding, Stage
    from tournaments.running.services.start import start_competition

    call_command("migrate", interactive=False, verbosity=0)
    now = timezone.now()
    people = [
        Player.objects.create(
            username=name, date_joined=now, email=f"{name}@example.org", email_confirmed_at=now, password="!"
        )
        for name in (ORGANISER, *(f"player-{number}" for number in range(1, players + 1)))
    ]
    organiser = people[0]
    game = SHORT_GAME.key
    ladder = Ladder(name="Ladder", slug=LADDER, game=game)
    endless = Stage(format="points-ladder", options={"window_days": 0, "rematch_days": 0})
    ladder.time_bank = ladder.time_increment = ladder.time_cap = seconds
    cup = Cup(name="Cup", slug=CUP, game=game)
    bracket = Stage(format="knock-out", seeding=Seeding.DRAW, options={"legs": 2, "replays": 1, "third_place": True})
    for competition, stage, entrants in ((ladder, endless, people[1:]), (cup, bracket, people[1 : cup_players + 1])):
        create_competition(competition=competition, stage=stage, creator=organiser, now=now)
        open_competition(competition_id=competition.pk, actor=organiser, now=now)
        for player in entrants:
            enter_competition(competition_id=competition.pk, player=player, now=now)
        start_competition(competition_id=competition.pk, actor=organiser, now=now)
    return {
        player.username: create_token(player=player, name="fault tests", scopes=list(Scope), now=now)[1]
        for player in people
    }


if __name__ == "__main__":
    django.setup()
    print(json.dumps(prepare(*map(int, sys.argv[1:]))))
