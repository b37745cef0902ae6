"""A ladder and a cup are played while the site is broken again and again; afterwards everything is as it should be."""

import json
import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from django.db import connection

from tests.faults.faults import Breaker
from tests.faults.mailbox import Mailbox
from tests.faults.preparation import CUP, LADDER, ORGANISER
from tests.faults.scripted import Client, Ledger, ScriptedPlayer, wait_until
from tests.faults.site import SITE_TIMEOUT, Site

POLL_INTERVAL = 0.2
WANTED_ENDINGS = {"resignation", "timeout", "normal-time"}

FINISHED = "SELECT count(*) FROM matches_match WHERE status = 'finished'"
PLAYED_LATER = "SELECT count(*) FROM matches_match WHERE greatest(last_move_at, finished_at) > clock_timestamp()"
CUP_GOES_ON = f"SELECT count(*) FROM tournaments_competition WHERE slug = '{CUP}' AND status <> 'finished'"
ENDINGS = "SELECT ending, count(*) FROM matches_match WHERE status = 'finished' GROUP BY ending ORDER BY ending"
STORED_MOVES = "SELECT match_id, ply, actor, text FROM matches_move WHERE actor <> 'chance'"
RESIGNATIONS = (
    "SELECT id, CASE winner WHEN 'yellow' THEN 'red' ELSE 'yellow' END FROM matches_match WHERE ending = 'resignation'"
)
MAILS = """
    SELECT id, key, state, attempts, kind = 'end' AND EXISTS (
        SELECT FROM matches_match WHERE annulled_at IS NULL AND about->'matches' @> to_jsonb(matches_match.id)
    ) FROM players_delivery
"""
"""The mails; the last column is true if one is about the end of a match that counts: that stays, so it must be sent."""

SENDING_TIMEOUT = 1.0
"""Seconds in which a living worker has sent its current mail."""

UNSENT = "SELECT count(*) FROM players_delivery WHERE state = 'pending'"
TRY_AGAIN = "UPDATE players_delivery SET next_attempt_at = now() WHERE state = 'pending' RETURNING id"


@dataclass(frozen=True, slots=True)
class Form:
    """The extent of what is played and broken: everything once, or again and again until enough is played.

    A player who leaves a match of the ladder has lost it when its ``clock`` has run out; one who plays has that long
    for the site to come back. It, the pauses between faults and all limits are in seconds.
    """

    players: int
    cup_players: int
    clock: int
    matches: int
    breaks_on: bool
    pauses: tuple[float, float]
    playing: float
    quiet: float
    seed: int = 1


FORMS = {
    "short": Form(
        players=6, cup_players=4, clock=8, matches=12, breaks_on=False, pauses=(0.3, 1.5), playing=120, quiet=90
    ),
    "long": Form(
        players=16, cup_players=16, clock=20, matches=200, breaks_on=True, pauses=(2, 8), playing=1800, quiet=300
    ),
}


class Season:
    """The matches, the players, and what is done to the site meanwhile."""

    def __init__(self, site: Site, mailbox: Mailbox, form: Form, *, is_nightly: bool) -> None:
        self.site, self.mailbox, self.form = site, mailbox, form
        self.ledger = Ledger()
        self.breaker = Breaker(site, Random(form.seed), self.ledger, form.clock, does_all=is_nightly)
        self._stop = threading.Event()
        self._end = time.monotonic() + form.playing

    def play(self) -> None:
        """Play until enough matches are over and the cup has its winner, break the site meanwhile, then wait."""
        numbers = (self.form.players, self.form.cup_players, self.form.clock)
        secrets = json.loads(self.site.command("tests.faults.preparation", *map(str, numbers)))
        organiser = Client(self.site.ports, secrets.pop(ORGANISER), self.ledger, self._stop)
        players = [
            ScriptedPlayer(
                name, secret, ports=self.site.ports, ledger=self.ledger, stop=self._stop, seed=self.form.seed
            )
            for name, secret in secrets.items()
        ]
        self.site.start()
        # Nobody waits for an answer for ever.
        alarm = threading.Timer(self.form.playing + self.form.quiet, self._stop.set)
        alarm.start()
        try:
            for player in players:
                player.start()
            self._break_until_enough_is_played()
            assert organiser.ask("POST", f"competitions/{LADDER}/finish/", {"reason": "enough"})[0] == 200
            self.site.note("the ladder is finished")
            self._await("the cup comes to its end", lambda: self.site.count(CUP_GOES_ON) == 0, self.form.quiet)
        finally:
            alarm.cancel()
            self._stop.set()
            organiser.close()
            for player in players:
                if player.is_alive():
                    player.join()
        self._await_quiet()

    def _break_until_enough_is_played(self) -> None:
        self.breaker.break_everything(pauses=self.form.pauses)
        while missing := self._find_missing():
            assert time.monotonic() < self._end, f"Not within {self.form.playing:.0f} s: {missing}"
            if self.form.breaks_on:
                self.breaker.break_everything(pauses=self.form.pauses)
            else:
                time.sleep(POLL_INTERVAL)

    def _find_missing(self) -> str:
        """Return what must be played yet, empty when it is enough."""
        endings = dict(self.site.query(ENDINGS))
        if sum(endings.values()) < self.form.matches:
            return f"{self.form.matches} matches are over, only {endings}"
        return "" if endings.keys() >= WANTED_ENDINGS else f"matches end in all ways, only in {[*endings]}"

    def _await_quiet(self) -> None:
        self._await("nothing is left to do", lambda: not self.site.still_waiting(), self.form.quiet)
        time.sleep(SENDING_TIMEOUT)
        # A worker that died while it sent a mail has left it to one that comes some minutes later.
        if self.site.query(TRY_AGAIN):
            self._await("mails are sent again", lambda: self.site.count(UNSENT) == 0, self.form.quiet)
        self.site.note("all is quiet")

    def _await(self, what: str, condition, seconds: float) -> None:
        done = wait_until(condition, seconds=seconds)
        assert done, f"Not within {seconds:.0f} s: {what}. Waiting: {self.site.still_waiting()}"


@pytest.fixture(scope="module")
def original(django_db_setup: None) -> str | None:
    """Return where the tests' own tables are, none if that server may be newer than the programs that copy them."""
    if "TEST_DATABASE_URL" in os.environ:
        return None
    return "host={HOST} user={USER} dbname={NAME}".format(**connection.settings_dict)


@pytest.fixture(scope="module")
def season(request, tmp_path_factory, original) -> Iterator[Season]:
    logs: Path = tmp_path_factory.mktemp("logs")
    form = FORMS[request.config.getoption("faults")]
    with Mailbox() as mailbox, Site(logs, mailbox.url, original) as site:
        season = Season(site, mailbox, form, is_nightly="not nightly" not in request.config.option.markexpr)
        try:
            season.play()
            yield season
        finally:
            print("\n".join(site.diary), site.said(), f"All logs: {logs}", sep="\n")


@pytest.mark.postgresql
def test_nothing_is_lost_stuck_or_counted_wrongly_whatever_dies(season):
    """One test, because all of it is true of the same matches, and its parts are worth nothing alone."""
    site, ledger = season.site, season.ledger
    faults = [*ledger.wrong, *json.loads(site.command("tests.faults.aftermath"))]

    stored = set(site.query(STORED_MOVES))
    faults += [f"The move {move} was accepted, but is not stored." for move in sorted(ledger.accepted - stored)]
    unsent = {move for move in stored - ledger.sent if (move[0], *move[2:]) not in ledger.given}
    faults += [f"The move {move} is stored, but nobody has sent or given it." for move in sorted(unsent)]
    given_up = ledger.resigned - set(site.query(RESIGNATIONS))
    faults += [f"The resignation {resigned} was accepted, but is not stored." for resigned in sorted(given_up)]
    faults += [f"{what} was not answered." for what in site.unanswered]
    faults += site.cheated
    faults += [f"{name} has ended by itself." for name in site.ended()]
    faults += [
        f"A request failed while all that the site needs was there: {what}"
        for sent, answered, what in ledger.failures
        if not site.was_out(sent, answered)
    ]
    faults += find_faults_of_mail(season)
    assert faults == [], "\n".join(faults)

    assert all(season.breaker.done.values()), season.breaker.done
    assert wait_until(lambda: site.failed_checks() == {"clock"}, seconds=SITE_TIMEOUT), site.ready_checks()
    assert site.count(PLAYED_LATER) == 0
    assert site.count(FINISHED) >= season.form.matches
    assert ledger.accepted
    assert ledger.lost_connections > 0


@pytest.mark.postgresql
def test_the_disk_was_full_meanwhile(season):
    if season.site.no_disk:
        pytest.skip(season.site.no_disk)
    assert season.breaker.done["disk"] >= 1


def find_faults_of_mail(season) -> Iterator[str]:
    """Yield a mail that was not sent, or more than twice, and one that nobody was to get.

    One that has ceased to be true before it was sent is dropped.
    """
    mails = season.site.query(MAILS)
    for mail, key, state, attempts, stays_true in mails:
        times = season.mailbox.received[mail]
        is_right = times in {1, 2} if state == "sent" else state == "dropped" and not stays_true and times <= 1
        if not is_right:
            yield f"The mail {key} is {state} after {attempts} attempts, and came {times} times."
    unknown = season.mailbox.received.keys() - {mail for mail, *_ in mails}
    if unknown:
        yield f"There came mails that are not in the outbox: {sorted(unknown)}"
    if not mails:
        yield "There was no mail."
