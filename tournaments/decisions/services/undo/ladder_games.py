"""Make room on a ladder for games that go on again: nobody meets the same opponent twice at once, or plays too many."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime

from django.db.models import Q

from tournaments.decisions.services.undo.changes import RELATED, Changes
from tournaments.models import Competition, Fixture
from tournaments.records.matches import played_fixtures
from tournaments.rounds.services.fixtures import OPEN
from tournaments.rounds.services.set_aside import set_aside

Role = tuple[int, str]
"""An entry, and as what it plays: of a challenge ladder as challenger or as who is challenged."""


def make_room(*, competition: Competition, fixtures: Sequence[Fixture], now: datetime) -> Changes:
    """Annul games that have begun since between the same two, and withdraw untouched ones above a ladder's limits.

    The caller holds the competition's lock. Three queries.
    """
    entries = {entry for each in fixtures for entry in (each.yellow_id, each.red_id)}
    games = Fixture.objects.filter(OPEN, Q(yellow__in=entries) | Q(red__in=entries), competition_id=competition.pk)
    others = list(games.exclude(pk__in=[each.pk for each in fixtures]).select_related(*RELATED).order_by("-pk"))
    touched = set(
        played_fixtures(competition_id=competition.pk)
        .filter(pk__in=[each.pk for each in others])
        .values_list("pk", flat=True)
    )
    gone = list(_choose(competition, fixtures, others, touched))
    set_aside(fixtures=gone, now=now)
    return Changes(
        lost=[each for each in gone if each.pk in touched],
        withdrawn=[each for each in gone if each.pk not in touched],
    )


def _choose(
    competition: Competition, fixtures: Sequence[Fixture], others: Sequence[Fixture], touched: Collection[int]
) -> Iterator[Fixture]:
    """Yield the games that go, the latest first."""
    pairs = {frozenset({each.yellow_id, each.red_id}) for each in fixtures}
    running = Counter(role for each in (*fixtures, *others) for role in _roles(each))
    for each in others:
        is_surplus = any(running[role] > _limit(competition, role) for role in _roles(each))
        if frozenset({each.yellow_id, each.red_id}) in pairs or (is_surplus and each.pk not in touched):
            running.subtract(_roles(each))
            yield each


def _roles(fixture: Fixture) -> list[Role]:
    if fixture.challenger_id is None:
        return [(fixture.yellow_id, ""), (fixture.red_id, "")]
    challenged = fixture.red_id if fixture.challenger_id == fixture.yellow_id else fixture.yellow_id
    return [(fixture.challenger_id, "outgoing"), (challenged, "incoming")]


def _limit(competition: Competition, role: Role) -> int:
    options = competition.first_stage.chosen_options
    limit: int = getattr(options, f"max_{role[1]}") if role[1] else options.games_each
    return limit
