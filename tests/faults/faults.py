"""Faults of the site while it is played on, in an order that a seed decides."""

import time
from collections.abc import Callable, Iterator
from random import Random

from tests.faults.scripted import Ledger, wait_until
from tests.faults.site import BEAT, UNSETTLED, WEBS, WORKERS, Site

MATCH_END_TIMEOUT = 10.0
"""Seconds in which a match should end while nobody works."""

DISKS = ("disk", "metrics disk")
LONG = ("metrics disk", "crowd", "outage")
KINDS = (
    *("web", "web worker", "worker", "beat", "flush", "queue", "broker", "postgresql", "hang", "crowd", "outage"),
    *DISKS,
)


class Breaker:
    """Breaks the site by one fault after the other. ``done`` counts them by kind."""

    def __init__(self, site: Site, source: Random, ledger: Ledger, clock: float, *, does_all: bool) -> None:
        """Break the site in which the shortest clocks have so many seconds; not by all kinds, they take long."""
        self._site = site
        self._clock = clock
        self._source = source
        self._ledger = ledger
        self._kinds = [kind for kind in KINDS if (kind not in DISKS or site.disk) and (does_all or kind not in LONG)]
        self.done: dict[str, int] = dict.fromkeys(self._kinds, 0)

    def break_everything(self, *, pauses: tuple[float, float]) -> None:
        """Do every kind of fault in a random order, and one more of a process, with pauses of so many seconds."""
        for kind in self._choose():
            self._sleep(*pauses)
            self._break(kind)
            self.done[kind] += 1

    def _choose(self) -> Iterator[str]:
        kinds = [*self._kinds, self._source.choice(("web", "worker"))]
        yield from self._source.sample(kinds, len(kinds))

    def _break(self, kind: str) -> None:
        site, random = self._site, self._source
        deeds: dict[str, Callable[[], None]] = {
            "web": lambda: self._kill(random.choice(WEBS)),
            "web worker": site.kill_web_worker,
            "worker": lambda: self._kill(random.choice(WORKERS)),
            "beat": lambda: self._kill(BEAT),
            "flush": site.flush,
            "queue": self._lose_queue,
            "broker": lambda: site.restart_broker(random.uniform(0, 2)),
            "postgresql": lambda: site.restart_postgresql(random.uniform(0, 1)),
            "hang": site.hang_postgresql,
            "crowd": site.crowd,
            # So long that without the time nearly every match of the ladder would be lost.
            "outage": lambda: site.give_time_back(self._clock + 1),
            "disk": self._fill_disk,
            "metrics disk": site.fill_metrics_disk,
        }
        deeds[kind]()

    def _kill(self, name: str) -> None:
        self._site.kill(name)
        self._sleep(0, 1)
        self._site.revive(name)

    def _fill_disk(self) -> None:
        """Leave no room until a request has failed for it."""
        before = len(self._ledger.failures)
        self._site.fill_disk(lambda: len(self._ledger.failures) > before)

    def _lose_queue(self) -> None:
        """Let tasks pile up, the settling of a match among them, and lose them all."""
        self._site.kill(*WORKERS)
        wait_until(lambda: self._site.count(UNSETTLED) > 0, seconds=MATCH_END_TIMEOUT)
        # A task is queued shortly after the commit.
        self._sleep(0.5, 1)
        self._site.flush()
        self._site.revive(*WORKERS)

    def _sleep(self, least: float, most: float) -> None:
        time.sleep(self._source.uniform(least, most))
