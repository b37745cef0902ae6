"""Measure what mails about turns cost a worker and PostgreSQL, without the mail server.

``.venv/bin/python benchmarks/mails.py`` starts PostgreSQL that commits to disk, lets each of 1,000 players be to move
in a match for some minutes, and runs the two tasks that a worker runs: one posts a letter for each player, the other
writes and sends them, to a mail server that takes them at once. It prints the processor time for each mail.
"""

from __future__ import annotations

import argparse
import sys
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.migrated_database import migrated_database
from benchmarks.processor_time import OWN, processor_seconds

GAME = "streetsoccer-board"
WAITING = timedelta(minutes=10)


def main() -> None:
    """Start a database, let players wait for their mails, and print what these cost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=1000, help="players who are to move (default: 1,000)")
    options = parser.parse_args()
    with migrated_database(durable=True):
        fill(options.players)
        before = processor_seconds()
        sent = send()
        spent = processor_seconds() - before
    worker, server = (1000 * spent[name] / sent for name in (OWN, "postgres"))
    print(f"{sent} mails, each: worker {worker:.2f} ms, PostgreSQL {server:.2f} ms")


def fill(players: int) -> None:
    """Start a match for each two of so many players, in which one has been to move for some minutes."""
    from django.utils import timezone

    from matches.clock import DAY, TimeControl
    from matches.services.new_matches import start_match
    from players.models import Player

    now = timezone.now()
    made = Player.objects.bulk_create(
        Player(
            username=f"player-{number:06}",
            email=f"player-{number}@example.com",
            email_confirmed_at=now,
        )
        for number in range(2 * players)
    )
    control = TimeControl(bank=10 * DAY, increment=DAY, cap=10 * DAY)
    for yellow, red in zip(made[::2], made[1::2], strict=True):
        start_match(game=GAME, yellow=yellow, red=red, time_control=control, now=now - WAITING, is_rated=False)


def send() -> int:
    """Post the letters and send the mails; return how many were sent."""
    from django.core import mail
    from django.test.utils import override_settings
    from django.utils import timezone

    from matches.services.notifications import send_turn_notifications
    from players.services.mail_delivery import send_due

    with override_settings(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend"):
        send_turn_notifications(now=timezone.now())
        while send_due(clock=timezone.now):
            pass
        return len(mail.outbox)


if __name__ == "__main__":
    main()
