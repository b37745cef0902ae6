"""Swiss rounds by the cost of each pair: for fields too large for the exact way, and where it finds nothing it allows.

All pairs of a round are chosen at once, so that their costs add up to as little as possible. A cost is a list of
criteria, of which each counts only where those before it leave a choice. They are those of the Dutch system
(C.04.3, C1 to C21), with the repeats that it does not know put in their place.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby
from typing import NamedTuple

from formats.pairing.swiss.dutch import Pairing
from formats.pairing.swiss.players import Float, Need, RoundToPair, SwissPlayer

WINDOW = 6
"""In a large field an entrant's possible opponents are so many places on either side of the ideal one."""

MAX_WIDENINGS = 3
"""So often a player who stays without a good opponent may choose among everybody, before all may."""

_BYE = 0
"""The number of the opponent whom the bye stands for."""

Cost = tuple[int, ...]
Edge = tuple[int, int]


class Spot(NamedTuple):
    """A player's place among those to be paired, best first, from 0: in all, in the score group, and how large that is.

    ``group`` counts score groups from 0.
    """

    rank: int
    group: int
    position: int
    size: int


def can_be_paired(players: Sequence[SwissPlayer], to_pair: RoundToPair) -> bool:
    """Return whether the Dutch system allows any pairing of them all."""
    edges = dict.fromkeys(
        ((one.number, other.number) for one, other in combinations(players, 2) if to_pair.may_meet(one, other)), 0
    )
    if len(players) % 2:
        edges |= {(player.number, _BYE): 0 for player in players if player.may_have_bye}
    return len(_match(edges)) == (len(players) + 1) // 2


def pair_at_least_cost(players: Sequence[SwissPlayer], to_pair: RoundToPair) -> Pairing:
    """Return the pairing that costs least among all there are. Repeats are possible, and cost more than all else."""
    return _Costs(players, to_pair).pair(_all_pairs(players))


def pair_large_field(players: Sequence[SwissPlayer], to_pair: RoundToPair) -> Pairing:
    """Return a pairing of many players: of each the opponents near the ideal one are looked at.

    A player who finds none there may meet anybody. There have to be more than twice as many players as rounds, so that
    nobody need meet anybody again.
    """
    costs = _Costs(players, to_pair)
    fewest_clashes = _count_unavoidable_clashes(players)
    wide: set[int] = set()
    for _attempt in range(MAX_WIDENINGS + 1):
        pairing = costs.pair(_near_pairs(players, costs.spots, wide), is_whole=False)
        paired = {number for pair in pairing.pairs for number in pair} | {pairing.bye}
        clashes = [pair for pair in pairing.pairs if not costs.can_be_seated(pair)]
        troubled = {player.number for player in players if player.number not in paired}
        if not troubled and len(clashes) <= fewest_clashes:
            return pairing
        wide |= troubled.union(*clashes)
    return costs.pair(_all_pairs(players))


class _Costs:
    """The cost of each pair of these players in a round."""

    def __init__(self, players: Sequence[SwissPlayer], to_pair: RoundToPair) -> None:
        self.to_pair = to_pair
        self.players = {player.number: player for player in players}
        self.spots = _find_spots(players)
        self.needs_bye = len(players) % 2 == 1

    def pair(self, pairs: Iterable[tuple[SwissPlayer, SwissPlayer]], *, is_whole: bool = True) -> Pairing:
        """Return the pairing of least cost among these pairs; without ``is_whole`` with no repeat in it."""
        costs = {
            (one.number, other.number): self.cost_of(one, other)
            for one, other in pairs
            if is_whole or other.number not in one.met
        }
        if self.needs_bye:
            fewest = min(player.byes for player in self.players.values())
            costs |= {
                (player.number, _BYE): self.cost_of_bye(player)
                for player in self.players.values()
                if player.byes == fewest
            }
        matched = _match(_flatten(costs, (len(self.players) + 1) // 2))
        byes = [other for one, other in matched if one == _BYE]
        return Pairing(tuple(pair for pair in matched if pair[0] != _BYE), byes[0] if byes else None)

    def can_be_seated(self, pair: Edge) -> bool:
        """Return whether neither has a side too often."""
        return self.to_pair.can_be_seated(self.players[pair[0]], self.players[pair[1]])

    def cost_of(self, one: SwissPlayer, other: SwissPlayer) -> Cost:
        """Return what this pair costs, by criteria, the most important first."""
        upper, lower = sorted((one, other), key=lambda player: self.spots[player.number])
        repeats = one.met.get(other.number, ())
        is_opposed = one.due is not None and one.due == other.due
        return (
            len(repeats) > 0,
            sum((len(self.players) + 1) ** (number - 1) for number in repeats),
            not self.to_pair.can_be_seated(one, other),
            0,
            0,
            (upper.score - lower.score) ** 2,
            is_opposed,
            is_opposed and {one.need, other.need} <= {Need.ABSOLUTE, Need.STRONG},
            *(
                _floated(upper, Float.DOWN, back) + _floated(lower, Float.UP, back) if upper.score > lower.score else 0
                for back in (1, 2)
            ),
            self.distance_of(upper, lower) ** 2,
        )

    def cost_of_bye(self, player: SwissPlayer) -> Cost:
        """Return what a free bye for this player costs, by the same criteria."""
        spot = self.spots[player.number]
        return (
            0,
            0,
            0,
            player.forfeit_wins > 0,
            player.score,
            0,
            0,
            0,
            *(_floated(player, Float.DOWN, back) for back in (1, 2)),
            (spot.size - 1 - spot.position) ** 2,
        )

    def distance_of(self, upper: SwissPlayer, lower: SwissPlayer) -> int:
        """Return how far the two are from the ideal: the upper half meets the lower, the last go down to the first."""
        above, below = self.spots[upper.number], self.spots[lower.number]
        if above.group == below.group:
            return abs(below.position - above.position - above.size // 2)
        return above.size - 1 - above.position + below.position


def _floated(player: SwissPlayer, direction: Float, back: int) -> bool:
    return len(player.floats) >= back and player.floats[-back] is direction


def _find_spots(players: Iterable[SwissPlayer]) -> dict[int, Spot]:
    ranked = sorted(players, key=lambda player: (-player.score, player.number))
    spots: dict[int, Spot] = {}
    for number, (_score, members) in enumerate(groupby(ranked, key=lambda player: player.score)):
        group = list(members)
        for position, player in enumerate(group):
            spots[player.number] = Spot(len(spots), number, position, len(group))
    return spots


def _all_pairs(players: Sequence[SwissPlayer]) -> Iterator[tuple[SwissPlayer, SwissPlayer]]:
    return combinations(players, 2)


def _near_pairs(
    players: Sequence[SwissPlayer], spots: Mapping[int, Spot], wide: Collection[int]
) -> Iterator[tuple[SwissPlayer, SwissPlayer]]:
    """Yield the pairs near the ideal: half a score group apart, or across the end of a group."""
    ranked = sorted(players, key=lambda player: spots[player.number])
    for player in ranked:
        spot = spots[player.number]
        ideal, end = spot.rank + spot.size // 2, spot.rank + spot.size - spot.position
        opponents = {*range(ideal - WINDOW, min(ideal + WINDOW + 1, end))}
        if end - spot.rank <= WINDOW:
            opponents |= {*range(end, end + WINDOW)}
        if player.number in wide:
            opponents = {*range(len(ranked))}
        for index in sorted(opponents):
            if spot.rank < index < len(ranked) or (player.number in wide and 0 <= index < spot.rank):
                yield player, ranked[index]


def _count_unavoidable_clashes(players: Iterable[SwissPlayer]) -> int:
    """Return how many pairs at least cannot be seated well: if more than half of all need the same side."""
    needs = [player.due for player in players if player.need is Need.ABSOLUTE]
    most = max((needs.count(side) for side in set(needs)), default=0)
    rest = sum(1 for _ in players) - most
    return max(0, most - rest) // 2


def _flatten(costs: Mapping[Edge, Cost], pairs: int) -> dict[Edge, int]:
    """Return each cost as one number, so that of sums of so many the one with the lesser criteria is the lesser."""
    bases = [max(column) * pairs + 1 for column in zip(*costs.values(), strict=True)]
    flat = {}
    for edge, cost in costs.items():
        number = 0
        for base, value in zip(bases, cost, strict=True):
            number = number * base + value
        flat[edge] = number
    return flat


def _match(costs: Mapping[Edge, int]) -> list[Edge]:
    """Return as many of the pairs as can be at once, and of these the ones with the least sum of costs."""
    # Only a process that pairs should pay for it: 0.6 s and 28 MB.
    import networkx as nx  # noqa: PLC0415

    graph = nx.Graph()
    dearest = max(costs.values(), default=0)
    graph.add_weighted_edges_from((*edge, dearest - cost) for edge, cost in costs.items())
    matched: set[Edge] = nx.max_weight_matching(graph, maxcardinality=True)
    return sorted((min(pair), max(pair)) for pair in matched)
