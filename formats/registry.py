"""Every format that competitions can have, by key."""

from formats.challenge_ladder import ChallengeLadder
from formats.double_elimination import DoubleElimination
from formats.knock_out import KnockOut
from formats.points_ladder import PointsLadder
from formats.protocol import Flow, Format
from formats.round_robin import RoundRobin
from formats.swiss import Swiss

_EVERY: tuple[Format, ...] = (
    PointsLadder(),
    ChallengeLadder(),
    KnockOut(),
    DoubleElimination(),
    RoundRobin(),
    Swiss(),
)

FORMATS: dict[str, Format] = {each.key: each for each in _EVERY}
"""The formats by ``Format.key``."""


def get_format(key: str) -> Format:
    """Return the format with this key; raises ``KeyError`` with a sentence that names the known keys."""
    try:
        return FORMATS[key]
    except KeyError:
        raise KeyError(f"there is no format {key!r}; known are {', '.join(FORMATS)}") from None


def formats_with(flow: Flow) -> list[str]:
    """Return the keys of the formats whose matches follow each other like this."""
    return [key for key, each in FORMATS.items() if each.flow is flow]
