"""Promotion and relegation: in which league of a championship everybody belongs after a season.

Pure: places of seasons come in, leagues and the order from which they are cut go out.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

E = TypeVar("E", bound=Hashable)

LAST_PROMOTED = 2
LAST_TO_STAY = 5
"""The places in a group of a league down to which players go up, and stay, unless a competition says otherwise."""

NO_PLACE = 2**31
"""The number that puts somebody without a place after those who have one."""


@dataclass(frozen=True, slots=True)
class SeasonPlace(Generic[E]):
    """The place of somebody in a season of a series, now or at its end.

    ``league`` is that of a pyramid, from 1, and 1 where there is none. ``place`` is the place in the group, ``None``
    where there is no table yet. An entrant who is not ``still_in`` has left the season. Its leagues say down to which
    place of a group players go up, and stay, and on how many of these places ``play_offs`` decide: the last ones that
    stay, and as many after those that go up. ``won_play_off`` is ``None`` for somebody whom none has decided on.
    """

    entrant: E
    season: int
    league: int
    group: int
    place: int | None
    still_in: bool
    last_promoted: int = LAST_PROMOTED
    last_to_stay: int = LAST_TO_STAY
    play_offs: int = 0
    won_play_off: bool | None = None


@dataclass(frozen=True, slots=True)
class Newcomer(Generic[E]):
    """Somebody who has entered the next season, with what puts in order those who have no place in an earlier one."""

    entrant: E
    rating: float
    lot: int


def league_after(place: SeasonPlace[Any]) -> int:
    """Return in which league somebody belongs after a season: the one above, the same, or the one below.

    A play-off decides only on the places that play off in the table as it is now.
    """
    last_up, last_to_stay = place.last_promoted, place.last_to_stay
    if place.won_play_off:
        last_up += place.play_offs
    elif place.won_play_off is not None:
        last_to_stay -= place.play_offs
    if place.place is not None and place.place <= last_up:
        return max(1, place.league - 1)
    stays = place.place is not None and place.place <= last_to_stay
    return place.league if stays else place.league + 1


def order_by_leagues(newcomers: Sequence[Newcomer[E]], places: Sequence[SeasonPlace[E]]) -> list[E]:
    """Return everybody in the order from which leagues are cut.

    ``places`` are the latest ones of all who have played, who belong where promotion and relegation put them. Of those
    who belong in one league, the ones from above come first, then those who stay, then those from below, each by
    their places; those who have skipped a season come after them, into the league below the one they left. Newcomers
    come last. Equals come by rating, then by lot.
    """
    latest = {each.entrant: each for each in places}
    last = max((each.season for each in places), default=0)

    def key(newcomer: Newcomer[E]) -> tuple[int, ...]:
        place = latest.get(newcomer.entrant)
        if place is None:
            return (1, 0, 0, 0, 0)
        has_skipped = place.season < last
        belongs = place.league + 1 if has_skipped else league_after(place)
        return (0, belongs, has_skipped, place.league, _rank(place))

    return [each.entrant for each in sorted(newcomers, key=lambda each: (key(each), -each.rating, each.lot))]


def leagues_after(
    players: Sequence[Newcomer[E]], places: Sequence[SeasonPlace[E]], cut: Callable[[int], Sequence[int]]
) -> dict[E, int]:
    """Return in which league everybody who is still in a season would play if it ended with these places.

    ``cut`` returns the sizes of the leagues, from 1, that so many make.
    """
    staying = {each.entrant for each in places if each.still_in}
    order = order_by_leagues([each for each in players if each.entrant in staying], places)
    leagues = [league for league, size in enumerate(cut(len(order)), start=1) for _ in range(size)]
    return dict(zip(order, leagues, strict=True))


def _rank(place: SeasonPlace[Any]) -> int:
    """Return a place as a number that is larger than all others where there is none."""
    return NO_PLACE if place.place is None else place.place
