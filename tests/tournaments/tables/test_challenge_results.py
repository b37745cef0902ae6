"""Places on a challenge ladder: what a result moves, in whatever order results, comings and goings are stored."""

import random
from datetime import datetime, timedelta

import pytest

from rules_engine.values import Side
from tests.tournaments.settled_competitions import HOUR, NOON, begin, end, make_ladder, make_players
from tournaments.models import Entry, Ladder, PlaceChange, Seat
from tournaments.records.challenges import derive_place_changes, positions_after
from tournaments.running.services.challenge_positions import enter_positions, leave_positions
from tournaments.running.services.entry_rows import seat_entries
from tournaments.running.services.settlement import settle_match
from tournaments.tables.services.challenge_results import replay_challenges

pytestmark = pytest.mark.django_db


def finish(ladder: Ladder, challenger: Entry, opponent: Entry, winner: Side | None, at: datetime) -> int:
    """End a game in which the challenger is Yellow, and return its match, not settled."""
    return end(begin(ladder, challenger, opponent, challenger=challenger), winner, at).pk


def order_of(ladder: Ladder) -> list[int]:
    on_ladder = Entry.objects.filter(competition=ladder, seats__position__isnull=False).order_by("seats__position")
    assert [entry.seat.position for entry in on_ladder] == list(range(1, len(on_ladder) + 1))
    return [entry.pk for entry in on_ladder]


def seats_of(ladder: Ladder) -> list[int]:
    return list(
        Seat.objects.filter(group__stage__competition=ladder, position__isnull=False)
        .order_by("position")
        .values_list("pk", flat=True)
    )


def history_of(ladder: Ladder) -> list[tuple[int, int | None, int | None]]:
    changes = PlaceChange.objects.filter(seat__entry__competition=ladder).order_by("changed_at", "pk")
    return list(changes.values_list("seat__entry", "place", "match"))


def test_comings_goings_and_results_in_any_order_give_one_history() -> None:
    outcomes = []
    for seed in range(4):
        ladder, entries = make_ladder(
            make_players(6, prefix=f"seed-{seed}"), format="challenge-ladder", slug=f"ladder-{seed}"
        )
        numbers = {entry.pk: number for number, entry in enumerate(entries)}
        source = random.Random(7)
        matches = []
        for hour in range(20):
            challenger, opponent = source.sample(entries, 2)
            matches.append(finish(ladder, challenger, opponent, source.choice([*Side, None]), NOON + hour * HOUR))
        pending = matches if seed == 0 else random.Random(seed).sample(matches, len(matches))
        half = len(pending) // 2
        for match in pending[:half]:
            settle_match(match_id=match, now=NOON)
        leaver = Entry.objects.get(pk=entries[2].pk)
        leave_positions(entries=[leaver], now=NOON + 30 * HOUR)
        enter_positions(entries=[leaver], now=NOON + 40 * HOUR)
        for match in pending[half:]:
            settle_match(match_id=match, now=NOON)
        first = min(matches)
        outcomes.append(
            (
                [numbers[pk] for pk in order_of(ladder)],
                [(numbers[pk], place, match and match - first) for pk, place, match in history_of(ladder)][6:],
            )
        )
        history = derive_place_changes(ladder_id=ladder.pk)
        assert list(positions_after(history)) == seats_of(ladder)
        assert len(history) == len(history_of(ladder))
    assert [order for order, _ in outcomes] == [outcomes[0][0]] * len(outcomes)
    assert [sorted(map(str, history)) for _, history in outcomes] == [sorted(map(str, outcomes[0][1]))] * len(outcomes)


def test_players_who_come_back_together_stand_as_if_it_all_were_played_again() -> None:
    players = make_players(13)
    ladder, entries = make_ladder(players[:12], format="challenge-ladder")
    late, first, second = entries[1], entries[2], entries[5]
    leave_positions(entries=[late], now=NOON)
    back = NOON + timedelta(days=181)
    leave_positions(entries=[first, second], now=back - timedelta(days=1))
    newcomer = Entry.objects.create(competition=ladder, player=players[12], draw=1, entered_at=back)
    seat_entries(competition=ladder, entries=[newcomer])
    enter_positions(entries=[second, newcomer, late, first], now=back)
    history = history_of(ladder)
    a, _, _, d, e, _, *others = (entry.pk for entry in entries)
    stood = [a, d, e, first.pk, *others[:2], second.pk, *others[2:], newcomer.pk, late.pk]
    assert order_of(ladder) == stood
    replay_challenges(ladder_id=ladder.pk)
    assert (order_of(ladder), history_of(ladder)) == (stood, history)
