"""A fixture as a format takes it."""

from formats.protocol import Game, TieKey
from rules_engine.values import BySide, Ending
from tournaments.models import Fixture


def read_game(fixture: Fixture, *, round_: int, tie: TieKey | None = None, is_again: bool = False) -> Game[int]:
    """Return a fixture that is not annulled; its entrants are the ids of entries.

    ``round_`` is 0 where there are no rounds. ``is_again`` says that it was set up in place of one that was annulled.
    No query.
    """
    points = fixture.points
    return Game(
        round=round_,
        sides=BySide(fixture.yellow_id, fixture.red_id),
        tie=tie,
        leg=fixture.leg,
        points=points,
        goals=fixture.goals,
        ending=Ending(fixture.ending) if fixture.ending else None,
        ended_at=fixture.finished_at,
        forfeited_by=None if points is None else _who_forfeited(fixture, points),
        again_at=fixture.created_at if is_again else None,
        challenger=fixture.challenger_id,
        number=fixture.pk,
    )


def _who_forfeited(fixture: Fixture, points: BySide[int]) -> int | None:
    """Return which entry has forfeited a match with these points, ``None`` where nobody did, or both."""
    if fixture.ending != Ending.FORFEIT or points.yellow == points.red:
        return None
    return fixture.yellow_id if points.yellow < points.red else fixture.red_id
