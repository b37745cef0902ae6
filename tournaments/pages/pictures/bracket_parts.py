"""Large brackets cut into parts: the last rounds, and what leads to each of the first ties of these.

Of a whole bracket of 1,024, which takes over a second to make, readers look at one tie and the last rounds.
"""

from collections.abc import Sequence

from formats.protocol import DrawnTie, FromTie, Outcome, TieKey

MAX_WHOLE = 127
"""A bracket of so many ties, those of 128 players, is shown whole."""

MAX_ROUNDS = 6
"""The most rounds of a part."""


def winners_from(tie: DrawnTie) -> tuple[TieKey, ...]:
    """Return the ties whose winners come into a tie, the upper one first."""
    sources = (tie.first, tie.second)
    return tuple(each.tie for each in sources if isinstance(each, FromTie) and each.outcome is Outcome.WINNER)


def parts_of(ties: Sequence[DrawnTie]) -> list[frozenset[TieKey]]:
    """Return the parts in which a large bracket is shown, as ``cut_bracket`` does; none of one that is shown whole."""
    return cut_bracket(ties) if len(ties) > MAX_WHOLE else []


def cut_bracket(ties: Sequence[DrawnTie]) -> list[frozenset[TieKey]]:
    """Return the parts of a bracket: the last rounds, then the others from the top, later rounds before earlier ones.

    All parts have about as many rounds. Each tie comes after those that it takes entrants from, as formats draw them.
    """
    sources = {tie.key: winners_from(tie) for tie in ties}
    followed = {before: tie.key for tie in ties for before in sources[tie.key]}
    depths: dict[TieKey, int] = {}
    for tie in reversed(ties):
        depths[tie.key] = depths[followed[tie.key]] + 1 if tie.key in followed else 0
    rounds = max(depths.values(), default=0) + 1
    size = -(-rounds // -(-rounds // MAX_ROUNDS))
    parts: dict[TieKey | None, list[TieKey]] = {None: []}
    waiting = [tie.key for tie in ties if tie.key not in followed]
    roots: list[TieKey] = []
    while waiting or roots:
        if not waiting:
            waiting, roots = roots, []
        key = waiting.pop(0)
        depth = depths[key]
        root = None if depth < size else _root_of(key, followed, depth % size)
        parts.setdefault(root, []).append(key)
        roots.extend(sources[key])
    return [frozenset(keys) for keys in parts.values()]


def _root_of(key: TieKey, followed: dict[TieKey, TieKey], steps: int) -> TieKey:
    """Return the tie to which a tie leads after so many rounds."""
    for _step in range(steps):
        key = followed[key]
    return key
