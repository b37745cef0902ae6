"""Let the match of a fixture go on as far as what stands lets it. Callers hold the competition's lock."""

from datetime import datetime

from matches.services.adjudication import forfeit_matches
from matches.services.reopen_match import lose_again
from rules_engine.values import Side
from tournaments.models import Competition, Entry, Fixture
from tournaments.records.outages import unforgiven_losses
from tournaments.tables.services.ratings import reopen_rated


def let_match_go_on(
    *, fixture: Fixture, competition: Competition, now: datetime, since: datetime | None = None
) -> None:
    """Let a fixture's match go on from where it stood, unless it would be over by now whatever ended it before.

    A loss on time that is not forgiven any more ends it as it did then, or now if somebody has moved since; and who has
    left forfeits it as of then. With ``since`` it was lost on time after that, and goes on with what was left then.
    What ends so is still to be settled.
    """
    if fixture.match_id is None:
        return
    reopen_rated(match_id=fixture.match_id, now=now, is_paused=competition.paused_at is not None, since=since)
    # What is forgiven now need not be in the log yet.
    again = [] if since else unforgiven_losses(competition_id=competition.pk, match_ids=[fixture.match_id])
    for row in again:
        if not lose_again(forgiven=[row]):
            forfeit_matches(losers={fixture.match_id: Side(row.side)}, now=now)
    left = [(entry.left_at, side) for side, entry in sides_of(fixture) if not entry.is_in and entry.left_at]
    if left:
        at, loser = min(left)
        forfeit_matches(losers={fixture.match_id: loser}, now=at)


def sides_of(fixture: Fixture) -> tuple[tuple[Side, Entry], tuple[Side, Entry]]:
    """Return the entrants of a fixture with their sides."""
    return (Side.YELLOW, fixture.yellow), (Side.RED, fixture.red)
