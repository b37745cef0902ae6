"""Play-offs between leagues: who defends a place in the higher league, and who plays for it.

Group 1 of a pyramid has groups 2 and 3 below it, group 2 has 4 and 5, group n has 2n and 2n + 1. The last places of a
group that stay in a league are defended against the first ones of the groups below it that do not go up by themselves.
The best of the former meet the last of the latter. Where two groups are below, their players meet first, and the winner
plays for the place: that is a knock-out of three, in which the defender is the first seed.
"""

from collections.abc import Sequence

from formats.advancement import GroupRank

MAX_SIZE = 3
"""The most players of a play-off: who defends the place, and one from each group below."""


def most_play_offs(last_promoted: int, last_to_stay: int) -> int:
    """Return for how many places of a group there can be play-offs, so that nobody plays for both leagues."""
    return (last_to_stay - last_promoted) // 2


def list_play_offs(
    sizes: Sequence[int], places: int, *, last_promoted: int, last_to_stay: int
) -> tuple[tuple[GroupRank, ...], ...]:
    """Return who meets in each play-off, the defender first, by the sizes of the groups of a pyramid, group 1 first.

    There are so many ``places`` of each group to be defended. One that nobody holds, or plays for, has no play-off.
    """
    found = []
    for group in range(1, len(sizes) + 1):
        for place in range(places):
            defender = GroupRank(group, last_to_stay - places + 1 + place)
            from_below = [GroupRank(below, last_promoted + places - place) for below in (2 * group, 2 * group + 1)]
            there = [each for each in (defender, *from_below) if _is_held(each, sizes)]
            if len(there) > 1 and there[0] == defender:
                found.append(tuple(there))
    return tuple(found)


def _is_held(source: GroupRank, sizes: Sequence[int]) -> bool:
    """Return whether there is such a group, and it has so many players."""
    return source.group is not None and source.group <= len(sizes) and source.rank <= sizes[source.group - 1]
