"""Measure how far forecasts are off, over simulated seasons, a quarter, a half and three quarters of the way.

``.venv/bin/python benchmarks/forecasts.py --seasons 100``. Seasons are played as values, without a database: each
player has a pace, each match a number of moves that no forecast knows, nights pass, and some players stop moving until
their clock has run out. Cups in levels are joined by all at their beginning. Prints, for each way to play, the error of
the likely end as a share of the whole season's length, and how many ends were between the early and the late one (the
aim is 80 %).
"""

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import combinations, islice
from pathlib import Path
from statistics import fmean, median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from formats.grouping import split_evenly
from formats.pairing.round_robin import schedule
from tournaments.running.forecast import ForecastRanges, make_forecast
from tournaments.running.forecast_inputs import (
    GroupOfLevel,
    Known,
    LevelsAhead,
    OpenMatch,
    PlayedMatch,
    RoundAhead,
    StageAhead,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
BANK, INCREMENT = 240 * 3600.0, 36 * 3600.0
MONTH = 30 * 24 * 3600.0
SHARES = (0.25, 0.5, 0.75)
STALLED = 0.03
"""The share of matches in which one of both stops moving."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match as it will go: the moments of its moves, in seconds from its beginning, and how long it lasts."""

    players: tuple[int, int]
    moves: tuple[float, ...]
    lasts: float


PlayOne = Callable[[tuple[int, int]], tuple[Played, int]]
"""Plays a match of two players, and says who wins it."""

Groups = list[list[RoundAhead[int]]]


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


@dataclass(frozen=True, slots=True)
class PlayedGroup:
    """A group of a level as it will go: who plays in it, and each match with its winner."""

    level: int
    players: tuple[int, ...]
    matches: tuple[tuple[Dated, int], ...]

    @property
    def begins(self) -> float:
        """Return when it begins."""
        return self.matches[0][0].begins

    @property
    def ends(self) -> float:
        """Return when its last match ends."""
        return max(match.ends for match, _winner in self.matches)

    def won_by(self, now: float) -> dict[int, float]:
        """Return how many matches each player has won by then."""
        won = dict.fromkeys(self.players, 0.0)
        for match, winner in self.matches:
            won[winner] += match.ends <= now
        return won


def play_group(level: int, players: Sequence[int], cycles: int, begins: float, play_one: PlayOne) -> PlayedGroup:
    """Play a group of a level, all matches at once."""
    pairs = list(combinations(players, 2)) * cycles
    matches = [play_one(pair) for pair in pairs]
    return PlayedGroup(
        level,
        tuple(players),
        tuple((Dated(match, level, 1, begins), winner) for match, winner in matches),
    )


def play_mini_cup(size: int, play_one: PlayOne) -> list[PlayedGroup]:
    """Play a mini cup which all have joined at its beginning: groups of three, and more than half of the wins go up."""
    groups = [play_group(1, range(first, first + 3), 2, 0.0, play_one) for first in range(0, size - size % 3, 3)]
    waiting: dict[int, list[int]] = defaultdict(list)
    ahead = sorted(groups, key=lambda group: group.ends)
    while ahead:
        ended = ahead.pop(0)
        above = waiting[ended.level + 1]
        above += [player for player, won in ended.won_by(ended.ends).items() if won > 2]
        if len(above) >= 3:
            groups.append(play_group(ended.level + 1, above[:3], 2, ended.ends, play_one))
            del above[:3]
            ahead = sorted([*ahead, groups[-1]], key=lambda group: group.ends)
    return groups


def play_monthly_cup(size: int, play_one: PlayOne) -> list[PlayedGroup]:
    """Play a monthly cup: the winners of groups of at most five play in the next month, or when all are over."""
    groups: list[PlayedGroup] = []
    alive, level, begins = list(range(size)), 0, 0.0
    while len(alive) > 1:
        level += 1
        players = iter(alive)
        groups += [
            play_group(level, list(islice(players, each)), 1, begins, play_one) for each in split_by_fives(len(alive))
        ]
        latest = [group for group in groups if group.level == level]
        alive = [first_of(won) for _group, won in with_wins(latest)]
        begins = max(begins + MONTH, *(group.ends for group in latest))
    return groups


def split_by_fives(entrants: int) -> list[int]:
    """Return the sizes of groups of at most five."""
    return split_evenly(entrants, -(-entrants // 5))


def first_of(won: Mapping[int, float]) -> int:
    """Return who has won most matches, of several the one with the lowest number."""
    return min(won, key=lambda one: (-won[one], one))


def with_wins(groups: Sequence[PlayedGroup]) -> list[tuple[PlayedGroup, dict[int, float]]]:
    """Return groups with how many matches each player has won at the end."""
    return [(group, group.won_by(group.ends)) for group in groups]


def levels_ahead(kind: str, groups: Sequence[PlayedGroup], now: float) -> tuple[Groups, LevelsAhead[int], list[Dated]]:
    """Return the groups that play then, how it goes on after them, and all matches that have begun by then."""
    begun = [group for group in groups if group.begins <= now]
    playing = [group for group in begun if group.ends > now]
    dated = [match for group in begun for match, _winner in group.matches]
    rounds: Groups = [
        [
            RoundAhead(
                1, tuple(open_match(dated.index(each), each, now) for each, _winner in group.matches if each.ends > now)
            )
        ]
        for group in playing
    ]
    waiting: dict[int, list[int]] = defaultdict(list)
    for group, won in with_wins([group for group in begun if group.ends <= now]):
        seated = {player for each in begun if each.level == group.level + 1 for player in each.players}
        best = [first_of(won)] if kind == "monthly cup" else [one for one in won if won[one] > 2]
        waiting[group.level + 1] += [one for one in best if one not in seated]
    cycles = 1 if kind == "monthly cup" else 2
    return (
        rounds,
        LevelsAhead(
            groups=tuple(GroupOfLevel(group.level, group.won_by(now)) for group in playing),
            waiting=waiting or {1 + max(group.level for group in begun): []},
            last=32,
            shape=lambda size: (1, cycles * size * (size - 1) // 2),
            split=split_by_fives,
            first=1 if kind == "monthly cup" else 0,
            above=None if kind == "monthly cup" else 0.5,
            gathers=None if kind == "monthly cup" else 3,
            begins=(lambda moment: moment + timedelta(seconds=MONTH)) if kind == "monthly cup" else None,
            begun=NOON + timedelta(seconds=max(group.begins for group in begun)),
        ),
        dated,
    )


def seasons_in_levels(kind: str, size: int, number: int) -> Iterator[tuple[float, float, ForecastRanges[int] | None]]:
    """Yield moments of seasons that are played in levels, with their ends and what was forecast."""
    for seed in range(number):
        source = random.Random(f"{kind}-{size}-{seed}")
        paces, elsewhere = field_of(size, source)

        def play_one(
            pair: tuple[int, int], paces: Sequence[float] = paces, source: random.Random = source
        ) -> tuple[Played, int]:
            return play(pair, paces, source), source.choice(pair)

        groups = play_monthly_cup(size, play_one) if kind == "monthly cup" else play_mini_cup(size, play_one)
        end = max(group.ends for group in groups)
        for share in SHARES:
            now = share * end
            rounds, levels, dated = levels_ahead(kind, groups, now)
            forecast = make_forecast(
                now=NOON + timedelta(seconds=now),
                groups=rounds,
                later=None,
                levels=levels,
                known=known_at(dated, now, elsewhere),
                seed=seed,
            )
            yield share, end, forecast


def field_of(size: int, source: random.Random) -> tuple[list[float], list[Played]]:
    """Return the paces of so many players, and matches that others have played."""
    paces = [source.lognormvariate(10.3, 0.6) for _ in range(size)]
    others = [source.lognormvariate(10.3, 0.6) for _ in range(20)]
    pairs = (source.sample(range(20), 2) for _ in range(40))
    return paces, [play((one, other), others, source) for one, other in pairs]


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
        paces, elsewhere = field_of(size, source)
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
        ("mini cup", 15),
        ("monthly cup", 15),
    ):
        played = seasons_in_levels if kind in {"mini cup", "monthly cup"} else seasons
        found = list(played(kind, size, number))
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
