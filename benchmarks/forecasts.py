"""How far forecasts are off, over simulated seasons: a quarter, a half and three quarters of the way to the end.

``.venv/bin/python benchmarks/forecasts.py --seasons 100``. Seasons are played as values, without a database: each
player has a pace, each match a number of moves that no forecast knows, nights pass, and some players stop moving until
their clock has run out. Prints, for each way to play, the error of the likely end as a share of the whole season's
length, and how many ends were between the early and the late one (the aim is 80 %).
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean, median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tournaments.forecast import (
    ForecastRanges,
    Known,
    OpenMatch,
    PlayedMatch,
    RoundAhead,
    StageAhead,
    make_forecast,
)
from tournaments.pairing.round_robin import schedule

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
BANK, INCREMENT = 240 * 3600.0, 36 * 3600.0
SHARES = (0.25, 0.5, 0.75)
STALLED = 0.03
"""The share of matches in which one of both stops moving."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match as it will go: the moments of its moves, in seconds from its beginning, and how long it lasts."""

    players: tuple[int, int]
    moves: tuple[float, ...]
    lasts: float


@dataclass(frozen=True, slots=True)
class Dated:
    """A match with the round in which it is played, and when it begins."""

    match: Played
    group: int
    number: int
    begins: float

    @property
    def ends(self) -> float:
        """Return when it ends."""
        return self.begins + self.match.lasts


def play(players: tuple[int, int], paces: Sequence[float], source: random.Random) -> Played:
    """Play a match: times of moves have a long tail, and sometimes a player is gone for good."""
    length = max(8, round(source.gauss(60, 16)))
    stalled = source.randrange(length) if source.random() < STALLED else None
    moments: list[float] = []
    now = 0.0
    for move in range(length):
        if move == stalled:
            return Played(players, tuple(moments), now + BANK)
        now += paces[players[move % 2]] * source.lognormvariate(-0.72, 1.2)
        moments.append(now)
    return Played(players, tuple(moments), now)


def play_round_robin(size: int, *, at_once: bool, source: random.Random, paces: Sequence[float]) -> list[Dated]:
    """Play a round robin, all at once or round by round."""
    dated: list[Dated] = []
    begins = 0.0
    for number, each_round in enumerate(schedule(list(range(size))), start=1):
        these = [Dated(play((pair.yellow, pair.red), paces, source), 1, number, begins) for pair in each_round.pairs]
        dated += these
        begins = begins if at_once else max(each.ends for each in these)
    return dated


def play_knock_out(size: int, *, source: random.Random, paces: Sequence[float], begins: float = 0.0) -> list[Dated]:
    """Play a knock-out; of each match either player goes on."""
    dated: list[Dated] = []
    alive = source.sample(range(len(paces)), size)
    free = dict.fromkeys(alive, begins)
    number = 0
    while len(alive) > 1:
        number += 1
        winners = []
        for one, other in zip(alive[::2], alive[1::2], strict=True):
            match = Dated(play((one, other), paces, source), 1, number, max(free[one], free[other]))
            dated.append(match)
            winners.append(source.choice((one, other)))
            free[winners[-1]] = match.ends
        alive = winners
    return dated


def known_at(dated: Sequence[Dated], now: float, elsewhere: Sequence[Played]) -> Known[int]:
    """Return what is known then."""
    over = [each.match for each in dated if each.ends <= now]
    played = [PlayedMatch(each.players, timedelta(seconds=each.lasts), len(each.moves)) for each in over]
    lengths = [len(each.moves) for each in [*elsewhere, *over]]
    return Known(played, lengths, [each.lasts / max(1, len(each.moves)) for each in elsewhere])


def open_match(key: int, each: Dated, now: float) -> OpenMatch[int]:
    """Return a match as it stands then."""
    moves = sum(each.begins + moment <= now for moment in each.match.moves)
    last = each.begins + (each.match.moves[moves - 1] if moves else 0.0)
    used = max(0.0, now - last)
    return OpenMatch(
        key,
        each.match.players,
        timedelta(seconds=now - each.begins),
        moves,
        timedelta(seconds=2 * BANK - used + INCREMENT * 60),
    )


def rounds_ahead(dated: Sequence[Dated], now: float) -> list[RoundAhead[int]]:
    """Return the rounds that are not over then."""
    rounds = []
    for number in sorted({each.number for each in dated}):
        here = [(key, each) for key, each in enumerate(dated) if each.number == number and each.ends > now]
        going_on = tuple(open_match(key, each, now) for key, each in here if each.begins <= now)
        if here:
            rounds.append(RoundAhead(number, going_on, to_come=len(here) - len(going_on)))
    return rounds


def seasons(kind: str, size: int, number: int) -> Iterator[tuple[float, float, ForecastRanges[int] | None]]:
    """Yield moments of seasons with their ends and what was forecast."""
    for seed in range(number):
        source = random.Random(f"{kind}-{size}-{seed}")
        paces = [source.lognormvariate(10.3, 0.6) for _ in range(size)]
        others = [source.lognormvariate(10.3, 0.6) for _ in range(20)]
        elsewhere = [
            play((pair[0], pair[1]), others, source) for pair in (source.sample(range(20), 2) for _ in range(40))
        ]
        later: list[Dated] = []
        if kind == "knock-out":
            dated = play_knock_out(size, source=source, paces=paces)
        elif kind == "group, then knock-out":
            dated = play_round_robin(size, at_once=True, source=source, paces=paces)
            later = play_knock_out(4, source=source, paces=paces, begins=max(each.ends for each in dated))
        else:
            dated = play_round_robin(size, at_once=kind == "round robin at once", source=source, paces=paces)
        stage_end = max(each.ends for each in dated)
        end = max(each.ends for each in [*dated, *later])
        for share in SHARES:
            now = share * stage_end
            forecast = make_forecast(
                now=NOON + timedelta(seconds=now),
                groups=[rounds_ahead(dated, now)],
                later=[StageAhead(1, 2), StageAhead(1, 1)] if later else [],
                known=known_at(dated, now, elsewhere),
                seed=seed,
            )
            yield share, end, forecast


def main() -> None:
    """Play seasons, and print how far the forecasts were off."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seasons", type=int, default=100)
    number = parser.parse_args().seasons
    print(f"{'':32}{'of the way':>12}{'median error':>14}{'bias':>8}{'in the range':>14}{'width':>8}")
    for kind, size in (
        ("round robin at once", 9),
        ("round robin by rounds", 8),
        ("knock-out", 16),
        ("group, then knock-out", 8),
    ):
        found = list(seasons(kind, size, number))
        for share in SHARES:
            errors, inside, widths = [], [], []
            for at, end, forecast in found:
                if at != share or forecast is None or forecast.whole is None:
                    continue
                real = NOON + timedelta(seconds=end)
                errors.append((forecast.whole.likely - real).total_seconds() / end)
                inside.append(forecast.whole.early <= real <= forecast.whole.late)
                widths.append((forecast.whole.late - forecast.whole.early).total_seconds() / end)
            middle, bias = median(map(abs, errors)), fmean(errors)
            print(f"{kind:32}{share:>12.0%}{middle:>14.1%}{bias:>+8.1%}{fmean(inside):>14.0%}{fmean(widths):>8.0%}")


if __name__ == "__main__":
    main()
