"""Of a challenge ladder is read what concerns those who challenge, and it says what the whole ladder says."""

import random
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.sql import compiler

from tests.marks import nightly
from tests.tournaments.verbs import NOON, group_of, start_ladder
from tests.tournaments.whole_ladder import assert_that_a_part_says_the_same
from tournaments.models import Entry, EntryStatus, Fixture, Ladder, Seat
from tournaments.records import challenges
from tournaments.records.challenges import challenge_preview, opponents_within_reach
from tournaments.running.services import ladder_pairings as pairings
from tournaments.running.services.challenge_positions import leave_positions

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
RESULT: dict[str, Any] = {
    "ending": "normal-time",
    "points_yellow": 5,
    "points_red": 0,
    "goals_yellow": 1,
    "goals_red": 0,
}


def make_large_ladder(size: int, **options: Any) -> tuple[Ladder, list[Entry]]:
    """Return a running ladder on which nobody plays, and its entries from the top."""
    ladder, entries = start_ladder(size, format="challenge-ladder", **options)
    return ladder, entries


def store_games(ladder: Ladder, games: list[tuple[Entry, Entry, timedelta | None]]) -> None:
    """Store games, each with its challenger, the opponent, and for how long it has been over, if it is."""
    group = group_of(ladder)
    rows = []
    for challenger, opponent, ago in games:
        ended = {} if ago is None else {"finished_at": NOON - ago, "counted_at": NOON - ago, **RESULT}
        sides = {"yellow": challenger, "red": opponent, "challenger": challenger}
        rows.append(Fixture(competition=ladder, group=group, created_at=NOON, **sides, **ended))
    Fixture.objects.bulk_create(rows)


def fill_at_random(source: random.Random, ladder: Ladder, entries: list[Entry]) -> None:
    """Let many wait, leave, have left and have closed accounts, and play and have played each other."""
    share = source.choice([0.1, 0.4, 0.9])
    for entry in entries:
        if source.random() > share:
            continue
        match source.randrange(4):
            case 0:
                Entry.objects.filter(pk=entry.pk).update(waits_since=NOON)
            case 1:
                Entry.objects.filter(pk=entry.pk).update(status=EntryStatus.ON_HOLD)
            case 2:
                leave_positions(entries=[entry], now=NOON)
                Entry.objects.filter(pk=entry.pk).update(status=EntryStatus.GONE)
            case _:
                type(entry.player).objects.filter(pk=entry.player_id).update(is_active=False)
    order = list(entries)
    games = []
    for number in range(len(order)):
        for _ in range(source.randrange(3)):
            other = source.randrange(max(0, number - 6), min(len(order), number + 3))
            ago = source.choice([None, None, HOUR, 20 * HOUR, 3 * DAY, 13 * DAY, 15 * DAY])
            if other != number:
                games.append((order[number], order[other], ago))
    store_games(ladder, games)
    outgoing = Counter(challenger.pk for challenger, _opponent, ago in games if ago is None)
    for key, number in outgoing.items():
        Entry.objects.filter(pk=key).update(known_games=source.randint(0, number))


@pytest.mark.parametrize("seed", [*range(4), *nightly(range(4, 24))])
def test_a_part_of_a_ladder_says_what_the_whole_ladder_says(seed, monkeypatch):
    source = random.Random(seed)
    monkeypatch.setattr(pairings, "WINDOW", source.choice([1, 2, 5, 1000]))
    monkeypatch.setattr(challenges, "MAX_RANGES", source.choice([1, 2, 100]))
    monkeypatch.setattr(challenges, "MAX_ENTRANTS_BY_ID", source.choice([3, 1000]))
    ladder, entries = make_large_ladder(
        source.randint(2, 30),
        max_outgoing=source.choice([0, 1, 1, 2]),
        max_incoming=source.choice([1, 2]),
        challenges_by=source.choice(["in-time", "in-time", "at-once", "players"]),
    )
    ladder.started_at = NOON - source.choice([HOUR, 3 * DAY])
    ladder.save()
    for entry in entries:
        Entry.objects.filter(pk=entry.pk).update(acted_at=NOON - source.choice([HOUR, 20 * HOUR, 3 * DAY]))
    fill_at_random(source, ladder, entries)
    assert_that_a_part_says_the_same(ladder, NOON)


def rows_read(action: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many rows the queries of an action fetch, of those that Django makes."""
    rows = 0
    read = compiler.cursor_iter

    def count(*about: Any) -> Any:
        nonlocal rows
        for some in read(*about):
            rows += len(some)
            yield some

    with monkeypatch.context() as patched:
        patched.setattr(compiler, "cursor_iter", count)
        action()
    return rows


def make_busy_ladder(size: int) -> tuple[Ladder, list[Entry]]:
    """Return a ladder on which everybody plays against who is next above, and is known to, but for the last."""
    ladder, entries = make_large_ladder(size)
    lower = list(zip(entries[1:-1], entries, strict=False))
    store_games(ladder, [(one, other, None) for one, other in lower])
    store_games(ladder, [(one, other, 20 * DAY) for one, other in lower])
    Entry.objects.filter(pk__in=[one.pk for one, _other in lower]).update(known_games=1)
    return ladder, entries


def test_pairing_one_player_reads_those_within_reach_however_large_the_ladder_is(monkeypatch):
    size = 400
    ladder, entries = make_busy_ladder(size)
    games: list[Any] = []
    rows = rows_read(lambda: games.extend(pairings._choose(ladder, NOON, 500)[0]), monkeypatch)
    assert games == [(entries[-1].pk, entries[-21].pk, entries[-1].pk)]
    # Twenty are within reach, each with two running games.
    assert rows < size // 4


def test_listing_whom_a_player_can_challenge_reads_those_within_reach_however_large_the_ladder_is(monkeypatch):
    size = 400
    ladder, entries = make_busy_ladder(size)
    own = entries[-1]
    Entry.objects.filter(pk__in=[entries[1].pk, entries[5].pk, entries[-3].pk]).update(waits_since=NOON)

    def preview(*opponents: Entry) -> list[Any]:
        return challenge_preview(ladder=ladder, player=own.player, now=NOON, opponents=opponents, own=own)

    near = opponents_within_reach(seat=Seat.objects.get(entry=own))
    assert rows_read(lambda: preview(*near), monkeypatch) < size // 4
    (option,) = preview(entries[0])
    assert option.refusal.parameters == {"position": 400, "reach": 20, "distance": 396}
    # Of those in between only the three who wait are read.
    assert rows_read(lambda: preview(entries[0]), monkeypatch) < size // 4
