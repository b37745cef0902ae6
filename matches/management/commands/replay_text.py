"""Play texts of matches through by the rules, from files."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from matches.interchange import Replay, replay_text
from rules_engine.values import Side
from web.errors import DomainError

STANDARD_INPUT = "-"


class Command(BaseCommand):
    """Play texts of matches through by the rules: one match a file. Store nothing."""

    help = (
        "Play matches through by the rules from their texts, one match a file: records, records in JSON, and the texts "
        "in which players of a game exchange matches. Print the result of each, and each statement of a text that its "
        "moves contradict. End with status 1 if a text was refused. Store nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take files, and the game of those that do not name theirs."""
        parser.add_argument("files", nargs="+", metavar="FILE", help=f"a file, or {STANDARD_INPUT} for standard input")
        parser.add_argument("--game", default="", help="the key of the game, for texts that do not name it")
        parser.add_argument("--number", type=int, default=1, help="which match of each text, if it has several")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print a line for each file and one for each remark."""
        refused = sum(not self._replay(name, options["game"], options["number"]) for name in options["files"])
        if refused:
            raise CommandError(f"{refused} of {len(options['files'])} texts refused")

    def _replay(self, name: str, game: str, number: int) -> bool:
        try:
            replay = replay_text(text=_read(name), game=game, number=number)
        except OSError as error:
            self.stderr.write(f"{name}: {error.strerror}")
        except UnicodeDecodeError:
            self.stderr.write(f"{name}: this is no UTF-8")
        except DomainError as refusal:
            rule = getattr(refusal, "rule", "")
            self.stderr.write(f"{name}: {rule}{': ' if rule else ''}{refusal}")
        else:
            several = f", match {replay.number} of {len(replay.matches)}" if len(replay.matches) > 1 else ""
            self.stdout.write(f"{name}: {_describe(replay)}{several}")
            for remark in replay.remarks:
                self.stdout.write(f"  remark: {remark}")
            return True
        return False


def _read(name: str) -> str:
    data = sys.stdin.buffer.read() if name == STANDARD_INPUT else Path(name).read_bytes()
    return data.decode()


def _describe(replay: Replay) -> str:
    tags, state = replay.record.tags, replay.states[-1]
    names = " - ".join(tags.get(side.value.capitalize(), "?") for side in Side)
    winner = state.outcome.winner or "nobody" if state.outcome else tags.get("Winner", "nobody yet")
    score = f"{state.score.yellow}-{state.score.red}"
    return f"{replay.game.title}, {names}, {len(replay.stages)} plies, {score}, won by {winner}"
