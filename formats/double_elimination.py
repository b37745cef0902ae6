"""The double elimination: an entrant who has lost twice is out (rules: competitions, "Cups").

The losers in the winners' bracket go down into the losers' bracket. There, first the losers of the first round meet
each other; after that, rounds alternate: in one, those who are left meet those who come down, in the other they meet
each other. So that a tie is not repeated before it must be, those who come down are put into another order, which
depends on the size of the bracket. The orders are those of brackets-manager, which leaves them to its users where
more than 128 lines are needed; there they follow its order for 128.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from formats.brackets import BracketFormat, TieOptions, describe_ties
from formats.lines import first_lines, meet
from formats.marked_texts import gettext_noop
from formats.options import option
from formats.pairing.elimination import count_rounds
from formats.protocol import DrawnTie, FromTie, Part, Source, TieKey

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DoubleEliminationOptions(TieOptions):
    """The options of a double elimination."""

    reset: bool = option(
        True,
        gettext_noop("second final"),
        help_text=gettext_noop(
            "Played if the winner of the winners' bracket loses the first final, because that is only their first loss."
        ),
    )


class DoubleElimination(BracketFormat):
    """Everybody can lose once: the loser goes on in the losers' bracket, and its winner comes into the final."""

    key = "double-elimination"
    label = gettext_noop("Double elimination")
    noun = gettext_noop("double elimination")
    summary = gettext_noop("You are out when you have lost two ties.")
    options = DoubleEliminationOptions
    min_entrants = 3

    def draw_ties(self, entrants: int, options: DoubleEliminationOptions) -> tuple[DrawnTie, ...]:
        """Return all ties, round by round. Raises ``ValueError`` for fewer than three entrants.

        From its second round on, the winners' bracket plays only every other round: so the losers of a round can meet
        those who are left in the losers' bracket in the very next, and nobody waits for longer than a round.
        """
        return _draw(entrants, options.reset)

    def describe(
        self, options: DoubleEliminationOptions, *, of_teams: bool = False, in_groups: bool = False
    ) -> Sequence[tuple[str, Mapping[str, Any]]]:
        """Return how a tie is played, what becomes of losers, and what a final comes to."""
        sentences = [
            *describe_ties(options),
            (
                gettext_noop("After your first loss you go on in the losers' bracket. After your second you are out."),
                {},
            ),
        ]
        if options.reset:
            reset = gettext_noop("If the winner of the losers' bracket wins the final, a second final decides.")
        else:
            reset = gettext_noop(
                "The final is played once, even if it is the first loss of the winner of the winners' bracket."
            )
        return [*sentences, (reset, {})]


def _natural(items: Sequence[T]) -> list[T]:
    return list(items)


def _reverse(items: Sequence[T]) -> list[T]:
    return list(reversed(items))


def _half_shift(items: Sequence[T]) -> list[T]:
    half = len(items) // 2
    return [*items[half:], *items[:half]]


def _reverse_half_shift(items: Sequence[T]) -> list[T]:
    return _half_shift(_reverse(items))


def _pair_flip(items: Sequence[T]) -> list[T]:
    return [items[index ^ 1] for index in range(len(items))]


_Order = Callable[[Sequence[Source | None]], list[Source | None]]

_ORDERS: Mapping[int, tuple[_Order, ...]] = {
    2: (),
    3: (_reverse,),
    4: (_reverse_half_shift, _reverse),
    5: (_reverse, _half_shift, _natural),
    6: (_reverse, _half_shift, _reverse, _natural),
}
"""The orders of those who come down from the second round on, by the rounds of the winners' bracket, without its final.
"""


def _orders(rounds: int) -> tuple[_Order, ...]:
    if rounds in _ORDERS:
        return _ORDERS[rounds]
    return (_reverse, _half_shift, *[_pair_flip] * (rounds - 4))


@lru_cache(maxsize=64)
def _draw(entrants: int, reset: bool) -> tuple[DrawnTie, ...]:
    if entrants < DoubleElimination.min_entrants:
        raise ValueError(f"a double elimination needs {DoubleElimination.min_entrants} entrants, not {entrants}")
    rounds = count_rounds(entrants)
    ties: list[DrawnTie] = []
    lines = first_lines(entrants, is_mirrored=False)
    going_down = []
    for number in range(1, rounds + 1):
        lines, losers = meet(ties, 1 if number == 1 else 2 * number - 2, Part.MAIN, lines)
        going_down.append(losers)
    left = going_down[0]
    orders: list[_Order] = [*_orders(rounds), _natural]
    for number, (losers, order) in enumerate(zip(going_down[1:], orders, strict=True), start=1):
        left, _out = meet(ties, 2 * number, Part.LOSERS, left)
        pairs = zip(order(losers), left, strict=True)
        left, _out = meet(ties, 2 * number + 1, Part.LOSERS, [each for pair in pairs for each in pair])
    champion = lines[0]
    (winner,), (loser,) = meet(ties, 2 * rounds, Part.FINAL, [champion, left[0]])
    ties.sort(key=lambda tie: tie.key.round)
    if reset and winner is not None and loser is not None and isinstance(champion, FromTie):
        ties.append(DrawnTie(TieKey(2 * rounds + 1, Part.RESET, 0), loser, winner, only_if_lost_by=champion))
    return tuple(ties)
