"""The Dutch system to the letter, by a library that pairs as FIDE's reference program does."""

from collections.abc import Sequence
from typing import NamedTuple

from formats.pairing.swiss.players import WIN, RoundToPair, SwissPlayer
from rules_engine.values import Side

_COLOURS = {Side.YELLOW: "white", Side.RED: "black"}


class Pairing(NamedTuple):
    """The pairs of a round, by pairing numbers, and the entrant who has the bye."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None


def pair_exactly(players: Sequence[SwissPlayer], to_pair: RoundToPair) -> Pairing:
    """Return the pairing of the Dutch system. There has to be one that it allows.

    What the library says of colours is not used.
    """
    # Only a process that pairs should pay for it and for what it imports.
    from caissify_pairings import generate_pairings  # noqa: PLC0415

    pairings = generate_pairings(
        "dutch",
        [
            {
                "id": player.number,
                "pairing_number": player.number,
                "starting_number": player.number,
                "score": player.score / WIN,
                "color_hist": [_COLOURS[side] for side in player.sides],
                "float_history": [each.value for each in player.floats],
                "bye_count": player.byes,
                "forfeit_win_count": player.forfeit_wins,
            }
            for player in players
        ],
        {(player.number, opponent) for player in players for opponent in player.met},
        to_pair.number,
        to_pair.rounds,
    )
    met = [(each["white_id"], each["black_id"]) for each in pairings]
    byes = [one for one, other in met if other is None]
    return Pairing(tuple(pair for pair in met if pair[1] is not None), byes[0] if byes else None)
