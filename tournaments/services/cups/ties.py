"""Playing and deciding the ties of an elimination, and sending the winners on.

Callers hold the event's lock. A tie that is known and whose turn it is gets all legs that it needs
at once; as soon as its results, or somebody's withdrawal, decide it, the winner stands in the next
tie. Nothing here looks at whole rounds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q

from rules_engine.values import BySide
from tournaments.metrics import Result
from tournaments.models import Cup, Entry, EntryStatus, Fixture, Round, Tie
from tournaments.pairing.legs import REPLAY_LEGS, Decider, decide_tie, sides_of_leg
from tournaments.services.cups.dates import date_at_start
from tournaments.services.fixtures import start_fixtures
from tournaments.services.log import log_action


def play_ties(*, cup: Cup, ties: Iterable[Tie], now: datetime) -> list[Round]:
    """Decide each tie, or start the legs that it needs; return the rounds in which something was decided, in order.

    Where rounds have no length, nobody waits for others: winners whose next opponent is known go on at
    once, and so their ties are played in the same way. Ties that are not decided cost no queries of their own.
    """
    decided: dict[int, Round] = {}
    waiting = list(ties)
    while waiting:
        followers = []
        for tie in _play(cup, waiting, now):
            decided[tie.round_id] = tie.round
            followers += _send_on(tie)
        waiting = [follower for follower in followers if cup.round_days is None and _is_known(follower)]
    return sorted(decided.values(), key=lambda each: each.number)


def load_ties(
    *, cup: Cup, round_: Round | None = None, entry: Entry | None = None, begun_only: bool = False
) -> list[Tie]:
    """Return the ties that are known and not decided, with round and entries, top of the bracket first.

    Only those of a round, of an entrant, and of rounds that have begun, where that is wanted.
    """
    ties = Tie.objects.filter(round__cup=cup, decided_at=None, first__isnull=False, second__isnull=False)
    if round_ is not None:
        ties = ties.filter(round=round_)
    if entry is not None:
        ties = ties.filter(Q(first=entry) | Q(second=entry))
    if begun_only:
        ties = ties.filter(round__started_at__isnull=False)
    return list(
        ties.select_related("round", "first__player", "second__player").order_by(
            "round__number", "is_third_place", "slot"
        )
    )


def _is_known(tie: Tie) -> bool:
    return tie.first is not None and tie.second is not None


def _play(cup: Cup, ties: Iterable[Tie], now: datetime) -> list[Tie]:
    """Return the ties that were decided just now; start what the others need."""
    open_ties = [tie for tie in ties if tie.decided_at is None and _is_known(tie)]
    legs_of: dict[int, list[Fixture]] = defaultdict(list)
    for fixture in Fixture.objects.filter(tie__in=open_ties, is_annulled=False).order_by("leg"):
        legs_of[fixture.tie_id or 0].append(fixture)
    decided, due = [], []
    for tie in open_ties:
        needed = _decide_or_name_legs(cup, tie, legs_of[tie.pk], now)
        if tie.decided_at is None:
            due += needed
        else:
            decided.append(tie)
    start_fixtures(fixtures=due, event=cup, now=now)
    for round_ in {tie.round_id: tie.round for tie in open_ties if tie.decided_at is None}.values():
        _note_start(cup, round_, now)
    return decided


def _decide_or_name_legs(cup: Cup, tie: Tie, legs: list[Fixture], now: datetime) -> list[Fixture]:
    """Decide a tie if its results do, and return the new fixtures that it needs otherwise, not stored yet."""
    first, second = tie.first, tie.second
    if first is None or second is None:
        return []
    higher, lower = sorted((first, second), key=lambda entry: entry.seed or 0)
    gone = [entry.pk for entry in (higher, lower) if entry.status == EntryStatus.GONE]
    decision = decide_tie(
        higher.pk,
        lower.pk,
        _results_of(legs),
        legs=cup.legs,
        replays=_replays_allowed(cup, tie, legs),
        withdrawn=gone,
    )
    if decision.winner is not None and decision.decided_by is not None:
        _decide(cup, tie, higher if decision.winner == higher.pk else lower, decision.decided_by, now)
        return []
    begun = {fixture.leg for fixture in legs}
    missing = [leg for leg in range(1, decision.legs_due + 1) if leg not in begun]
    return [_new_leg(cup, tie, sides_of_leg(first, second, leg), leg, now) for leg in missing]


def _new_leg(cup: Cup, tie: Tie, sides: BySide[Entry], leg: int, now: datetime) -> Fixture:
    return Fixture(
        event_id=cup.pk, round_id=tie.round_id, tie=tie, leg=leg, yellow=sides.yellow, red=sides.red, created_at=now
    )


def _results_of(legs: list[Fixture]) -> list[Result[int]]:
    """Return the results as far as they follow each other without a gap: a later leg waits for an earlier one."""
    results = []
    for number, fixture in enumerate(legs, start=1):
        points, goals = fixture.points, fixture.goals
        if fixture.leg != number or points is None or goals is None:
            break
        results.append(Result(fixture.yellow_id, fixture.red_id, points, goals))
    return results


def _replays_allowed(cup: Cup, tie: Tie, legs: list[Fixture]) -> int:
    """Return how many replay pairs the tie may have: where the round was cut short, no more than have begun."""
    if tie.round.cut_short_at is None:
        return cup.replays
    begun = max((fixture.leg for fixture in legs), default=0) - cup.legs
    return min(cup.replays, max(0, -(-begun // REPLAY_LEGS)))


def _note_start(cup: Cup, round_: Round, now: datetime) -> None:
    if round_.started_at is None and Round.objects.filter(pk=round_.pk, started_at=None).update(started_at=now):
        round_.started_at = now
        date_at_start(round=round_, cup=cup, now=now)
        round_.save(update_fields=["ends_at", "dated_at"])


def _decide(cup: Cup, tie: Tie, winner: Entry, decided_by: Decider, now: datetime) -> None:
    tie.winner, tie.decided_by, tie.decided_at = winner, decided_by, now
    tie.save(update_fields=["winner", "decided_by", "decided_at"])
    _note_start(cup, tie.round, now)
    if decided_by in {Decider.SEED, Decider.WITHDRAWAL}:
        log_action(event=cup, action="tie-decided", subject=f"{tie}: {winner}", reason=decided_by, now=now)


def _send_on(tie: Tie) -> list[Tie]:
    """Put the winner into the next tie, and the loser of a semi-final into the tie for third place; return those."""
    if tie.is_third_place or tie.winner is None:
        return []
    place = "second" if tie.slot % 2 else "first"
    loser = tie.second if tie.winner == tie.first else tie.first
    followers = list(
        Tie.objects.filter(round__cup=tie.round.cup_id, round__number=tie.round.number + 1)
        .filter(Q(slot=tie.slot // 2) | Q(is_third_place=True))
        .select_related("round", "first__player", "second__player")
    )
    for follower in followers:
        setattr(follower, place, loser if follower.is_third_place else tie.winner)
        follower.save(update_fields=[place])
    return followers
