"""Forecasts of when rounds, stages and competitions end, and of whose matches hold them up.

Pure: what is going on comes in as values, and a range of moments goes out. Matches are continued in many scenarios: in
each, every entrant has a pace that fits what is known of them, matches have as many moves as others of their game had,
clocks and the dates of rounds end what takes too long, and later rounds begin when those before are over. Where those
who go on from groups play in levels, it is drawn by lot who wins what is not over. The same values and seed give the
same forecast.
"""

import random
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import heapify, heappop, heappush
from itertools import combinations, count, islice
from statistics import fmean
from typing import Generic

from tournaments.running.forecast_inputs import E, Known, LevelsAhead, OpenMatch, RoundAhead, StageAhead
from tournaments.running.forecast_ranges import Range, make_range, moment_after

Ends = tuple[float, float]
"""Seconds from now until the end of a round and of its group."""

MIN_KNOWN = 3
"""Without so many finished matches of the game nothing is said."""

MAX_HOLDING_UP = 3

PRIOR_MATCHES = 3
"""An entrant's own matches count against so many of the average pace."""

PRIOR_MOVES = 12
"""The moves of a match that goes on count against so many at the pace of its entrants."""

MAX_SCENARIOS = 200
MIN_SCENARIOS = 40
MAX_DRAWS = 60_000
"""Matches times scenarios, about: with more matches there are fewer scenarios."""

MAX_DRAWS_OF_LEVELS = 5 * MAX_DRAWS
"""The most matches of levels that are drawn in all scenarios; nothing is said of levels that need more."""

MAX_AHEAD = 200
"""Of more matches in a round to come so many are drawn: the longest of them hardly changes with more."""

PASSES = 4
"""So often the paces of entrants are derived from those of their matches and of their opponents."""

UNKNOWN = 0.5
"""The standard deviation of the logarithm of the pace of an entrant of whom nothing is known."""

OVERALL = 0.6
"""The same of what all of a season have in common, while nothing is known of it: four matches halve the variance."""

SPREAD = 1.5
"""The standard deviation of the logarithms of the times of single moves; of many moves it is less."""


@dataclass(frozen=True, slots=True)
class HoldUp(Generic[E]):
    """A match on which the end of the round or the stage depends most, and the slower of its two entrants."""

    key: int
    entrant: E


@dataclass(frozen=True, slots=True)
class ForecastRanges(Generic[E]):
    """The probable ends of the round, the stage and the whole; ``None`` for what there is not, or nobody knows."""

    round_number: int | None
    round: Range | None
    stage: Range | None
    whole: Range | None
    holds_up: tuple[HoldUp[E], ...]


class TooManyDraws(Exception):
    """Levels need more matches than are drawn."""


def make_forecast(
    *,
    now: datetime,
    groups: Sequence[Sequence[RoundAhead[E]]],
    later: Sequence[StageAhead] | None,
    known: Known[E],
    levels: LevelsAhead[E] | None = None,
    seed: int = 0,
) -> ForecastRanges[E] | None:
    """Return the forecast of a stage with these groups, each with its rounds in order, and of the ``later`` stages.

    Where nobody knows what follows the stage, ``later`` is ``None``, unless it is played in ``levels``, of which these
    are the groups. Of levels that need too many matches nothing is said. Returns ``None`` for what is over, and where
    too little is known. Of rounds that follow each other, the one that is forecast is the first that goes on.
    """
    open_matches = [match for rounds in groups for each in rounds for match in each.open]
    lengths = sorted(known.lengths)
    paces = _learn_paces(known, open_matches)
    plays = any(rounds for rounds in groups)
    if paces is None or len(lengths) < MIN_KNOWN or not (plays or (levels is not None and levels.comes_to_something)):
        return None
    source = random.Random(seed)
    number = _current_round(groups) if plays else None
    ends: dict[str, list[float]] = {"round": [], "stage": [], "whole": []}
    last: dict[int, float] = defaultdict(float)
    ahead = sum(min(each.to_come, MAX_AHEAD) for rounds in groups for each in rounds)
    ahead += sum(stage.rounds * min(stage.matches, MAX_AHEAD) for stage in later or ())
    ahead += 0 if levels is None else levels.matches
    scenarios = max(MIN_SCENARIOS, min(MAX_SCENARIOS, MAX_DRAWS // (1 + len(open_matches) + ahead)))
    for _ in range(scenarios):
        scenario = _Scenario(source, paces, lengths, now, MAX_DRAWS_OF_LEVELS // scenarios)
        reached = [scenario.play_group(rounds, number, last) for rounds in groups]
        stage = max((end for _round, end in reached), default=0.0)
        ends["round"].append(max((of_round for of_round, _end in reached), default=0.0))
        whole = stage + sum(scenario.play_stage(each) for each in later or ())
        if levels is not None:
            try:
                whole = max(stage, scenario.play_levels(levels, groups, [end for _round, end in reached]))
            except TooManyDraws:
                if not plays:
                    return None
                levels = later = None
        ends["stage"].append(stage if plays else whole)
        ends["whole"].append(whole)
    return ForecastRanges(
        round_number=number,
        round=None if number is None else make_range(now, ends["round"]),
        stage=make_range(now, ends["stage"]),
        whole=None if later is None and levels is None else make_range(now, ends["whole"]),
        holds_up=_name_holding_up(groups, number, last, paces),
    )


@dataclass(frozen=True, slots=True)
class _Paces(Generic[E]):
    """The seconds that a move takes: on average, and of each entrant whose matches tell it, with their number."""

    average: float
    of: Mapping[E, float]
    matches: Mapping[E, int]

    def between(self, entrants: tuple[E, E]) -> float:
        """Return the pace of a match between these two."""
        one, other = entrants
        return (self.of.get(one, self.average) + self.of.get(other, self.average)) / 2


def _learn_paces(known: Known[E], open_matches: Iterable[OpenMatch[E]]) -> _Paces[E] | None:
    """Return the paces that explain those of matches, each of which is the mean of its entrants'; ``None`` for none."""
    seen = [(each.entrants, each.lasted.total_seconds() / each.moves) for each in known.played if each.moves]
    seen += [
        # The move that is awaited has taken its time, too.
        (each.entrants, each.lasted.total_seconds() / (each.moves + 1))
        for each in open_matches
        if each.moves >= PRIOR_MOVES
    ]
    samples = [pace for _entrants, pace in seen] or list(known.paces)
    if not samples:
        return None
    average = fmean(samples)
    met: dict[E, list[tuple[E, float]]] = defaultdict(list)
    for (one, other), pace in seen:
        met[one].append((other, pace))
        met[other].append((one, pace))
    own: dict[E, float] = {}
    for _ in range(PASSES):
        own = {
            entrant: (
                PRIOR_MATCHES * average
                + sum(max(pace / 4, 2 * pace - own.get(other, average)) for other, pace in matches)
            )
            / (PRIOR_MATCHES + len(matches))
            for entrant, matches in met.items()
        }
    return _Paces(average, own, {entrant: len(matches) for entrant, matches in met.items()})


class _Scenario(Generic[E]):
    """One way in which a competition goes on; times are seconds from now."""

    def __init__(
        self, source: random.Random, paces: _Paces[E], lengths: Sequence[int], now: datetime, max_draws: int
    ) -> None:
        self.source, self.paces, self.lengths, self.now = source, paces, lengths, now
        self.draws_left = max_draws
        self.overall = self.differ(OVERALL / (1 + sum(paces.matches.values()) / 8) ** 0.5)
        self.factors: dict[E, float] = {}
        self.entrants = list(paces.of)

    def play_group(self, rounds: Sequence[RoundAhead[E]], number: int | None, last: dict[int, float]) -> Ends:
        """Return when the round with this number and the group end, and add up in ``last`` when each match does."""
        of_round = end = 0.0
        for each in rounds:
            begins, open_ends = end, 0.0
            for match in each.open:
                remaining = self.finish(match)
                last[match.key] += remaining
                open_ends = max(open_ends, remaining)
            coming = (self.play_new() for _ in range(min(each.to_come, MAX_AHEAD)))
            end = max(begins, open_ends, max((begins + length for length in coming), default=0.0))
            if each.ends_at is not None:
                end = min(end, max(0.0, (each.ends_at - self.now).total_seconds()))
            elif each.length is not None:
                end = min(end, begins + each.length.total_seconds())
            if each.number == number:
                of_round = end
        return of_round, end

    def play_stage(self, stage: StageAhead) -> float:
        """Return how long a stage to come takes."""
        whole = 0.0
        for _ in range(stage.rounds):
            longest = max((self.play_new() for _ in range(min(stage.matches, MAX_AHEAD))), default=0.0)
            whole += longest if stage.length is None else min(longest, stage.length.total_seconds())
        return whole

    def play_levels(
        self, levels: LevelsAhead[E], groups: Sequence[Sequence[RoundAhead[E]]], ends: Sequence[float]
    ) -> float:
        """Return when the last level ends, where the groups that play now end at these moments.

        Raises ``TooManyDraws``.
        """
        going_on = [
            self.go_on(levels, group.won, self.left_in(rounds, list(group.won)))
            for group, rounds in zip(levels.groups, groups, strict=True)
        ]
        ended = [(end, group.level, found) for end, group, found in zip(ends, levels.groups, going_on, strict=True)]
        return self._gather(levels, ended) if levels.gathers else self._deal(levels, ended)

    def _gather(self, levels: LevelsAhead[E], ended: Sequence[tuple[float, int, list[E]]]) -> float:
        """Let groups begin whenever enough wait, and return when the last one ends."""
        number, whole = count(), 0.0
        queue = [(end, next(number), level, found) for end, level, found in ended]
        heapify(queue)
        waiting = {level: list(entrants) for level, entrants in levels.waiting.items()}
        placed = {level: {*levels.placed.get(level, ()), *waiting.get(level, ())} for level in range(levels.last + 1)}
        while queue:
            whole, _number, level, found = heappop(queue)
            if level >= levels.last:
                continue
            above = waiting.setdefault(level + 1, [])
            above += [entrant for entrant in found if entrant not in placed[level + 1]]
            placed[level + 1].update(found)
            while len(above) >= (levels.gathers or 1):
                entrants, above[:] = above[: levels.gathers], above[levels.gathers :]
                lasts, going_on = self.play_level_group(levels, entrants)
                heappush(queue, (whole + lasts, next(number), level + 1, going_on))
        return whole

    def _deal(self, levels: LevelsAhead[E], ended: Sequence[tuple[float, int, list[E]]]) -> float:
        """Let each level begin when the one before has ended, or on its day, and return when the last one ends."""
        level = max([level for _end, level, _found in ended] or [min(levels.waiting) - 1])
        whole, begun = max((end for end, _level, _found in ended), default=0.0), levels.begun
        alive = [*levels.waiting.get(level + 1, ()), *(entrant for *_ends, found in ended for entrant in found)]
        while len(alive) > 1 and level < levels.last:
            if levels.begins is not None and begun is not None:
                whole = max(whole, (levels.begins(begun) - self.now).total_seconds())
                begun = moment_after(self.now, whole)
            self.source.shuffle(alive)
            seats = iter(alive)
            sizes = levels.split(len(alive))
            played = [self.play_level_group(levels, list(islice(seats, size))) for size in sizes]
            whole += max(lasts for lasts, _found in played)
            alive = [entrant for _lasts, found in played for entrant in found]
            level += 1
        return whole

    def play_level_group(self, levels: LevelsAhead[E], entrants: Sequence[E]) -> tuple[float, list[E]]:
        """Return how long a new group takes, and who goes on from it. Raises ``TooManyDraws``."""
        rounds, matches = levels.shape(len(entrants))
        self.draws_left -= matches
        if self.draws_left < 0:
            raise TooManyDraws
        pairs = list(combinations(entrants, 2))
        played = [pairs[number % len(pairs)] for number in range(matches)]
        times = [
            self.play_moves(
                (self.pace_of(one) * self.factor_of(one) + self.pace_of(other) * self.factor_of(other)) / 2,
                self.source.choice(self.lengths),
            )
            for one, other in played
        ]
        lasts = max(times)
        if not levels.at_once:
            most = float("inf") if levels.length is None else levels.length.total_seconds()
            lasts = sum(min(most, max(times[number::rounds], default=0.0)) for number in range(rounds))
        return lasts, self.go_on(levels, dict.fromkeys(entrants, 0.0), played)

    def left_in(self, rounds: Sequence[RoundAhead[E]], entrants: Sequence[E]) -> list[tuple[E, E]]:
        """Return who plays what is left in a group; who meets whom in rounds to come is drawn by lot."""
        left = [match.entrants for each in rounds for match in each.open]
        to_come = sum(min(each.to_come, MAX_AHEAD) for each in rounds)
        if len(entrants) > 1:
            drawn = (self.source.sample(entrants, 2) for _ in range(to_come))
            left += [(one, other) for one, other in drawn]
        return left

    def go_on(self, levels: LevelsAhead[E], won: Mapping[E, float], left: Iterable[tuple[E, E]]) -> list[E]:
        """Return who goes on from a group where each of these matches is won by either."""
        total = dict(won)
        for pair in left:
            winner = self.source.choice(pair)
            if winner in total:
                total[winner] += 1
        if levels.above is not None:
            rounds_each = 2 * levels.shape(len(total))[1] / len(total) if len(total) > 1 else 0.0
            return [entrant for entrant, points in total.items() if points > levels.above * rounds_each]
        lots = {entrant: self.source.random() for entrant in total}
        return sorted(total, key=lambda entrant: (-total[entrant], lots[entrant]))[: levels.first]

    def pace_of(self, entrant: E) -> float:
        """Return the seconds that a move of an entrant takes, as far as that is known."""
        return self.paces.of.get(entrant, self.paces.average)

    def finish(self, match: OpenMatch[E]) -> float:
        """Return how long a match goes on."""
        usual = self.paces.between(match.entrants)
        so_far = (PRIOR_MOVES * usual + match.lasted.total_seconds()) / (PRIOR_MOVES + match.moves + 1)
        one, other = match.entrants
        remaining = self.play_moves(
            so_far * (self.factor_of(one) + self.factor_of(other)) / 2, self.count_moves(match.moves)
        )
        return remaining if match.left is None else min(remaining, max(0.0, match.left.total_seconds()))

    def play_new(self) -> float:
        """Return how long a match takes whose entrants are not known yet."""
        pace = self.paces.average
        if len(self.entrants) > 1:
            one, other = self.source.sample(self.entrants, 2)
            pace = (self.paces.of[one] * self.factor_of(one) + self.paces.of[other] * self.factor_of(other)) / 2
        return self.play_moves(pace, self.source.choice(self.lengths))

    def play_moves(self, pace: float, moves: int) -> float:
        """Return how long so many moves take."""
        return self.overall * pace * moves * self.differ(min(1.0, SPREAD / max(1, moves) ** 0.5))

    def differ(self, spread: float) -> float:
        """Return a random factor around one whose logarithm has this standard deviation."""
        return self.source.lognormvariate(-spread * spread / 2, spread)

    def count_moves(self, moves: int) -> int:
        """Return how many more moves a match has after so many."""
        longer = bisect_right(self.lengths, moves)
        if longer == len(self.lengths):
            # Longer than all that are known.
            return max(1, moves // 10)
        return self.lengths[self.source.randrange(longer, len(self.lengths))] - moves

    def factor_of(self, entrant: E) -> float:
        """Return how much slower or faster an entrant is in this scenario than is known."""
        if entrant not in self.factors:
            doubt = UNKNOWN / (1 + self.paces.matches.get(entrant, 0)) ** 0.5
            self.factors[entrant] = self.differ(doubt)
        return self.factors[entrant]


def _current_round(groups: Sequence[Sequence[RoundAhead[E]]]) -> int | None:
    """Return the first round that goes on where rounds follow each other, ``None`` where all are played at once."""
    rounds = [each for group in groups for each in group]
    if not any(each.to_come for each in rounds) and len({each.number for each in rounds if each.open}) > 1:
        return None
    return min(each.number for each in rounds)


def _name_holding_up(
    groups: Sequence[Sequence[RoundAhead[E]]], number: int | None, last: Mapping[int, float], paces: _Paces[E]
) -> tuple[HoldUp[E], ...]:
    """Return the matches of the current round, or of all, that end last, each with the slower of both entrants."""
    matches = [match for group in groups for each in group if number in {None, each.number} for match in each.open]
    slowest = sorted(matches, key=lambda match: (-last[match.key], match.key))[:MAX_HOLDING_UP]
    return tuple(
        HoldUp(match.key, max(match.entrants, key=lambda entrant: paces.of.get(entrant, paces.average)))
        for match in slowest
    )
