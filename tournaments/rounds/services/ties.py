"""Play and decide the ties of a bracket, and send the winners on.

Callers hold the competition's lock. A tie that is known and whose turn it is gets all legs that it needs
at once; as soon as its results, or somebody's withdrawal, decide it, the winner stands in the next
tie. Nothing here looks at whole rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from database.compiled_queries import CompiledQuery
from formats.pairing.legs import Decider
from formats.protocol import Outcome
from formats.results import balance_of as balance_of_record
from formats.sides import Balance, lay_boards, sides_of_leg
from rules_engine.values import BySide
from tournaments.models import OF_TIES, Entry, Fixture, Group, Round, Tie
from tournaments.office.services.log import log_action
from tournaments.records.brackets import IN_ORDER
from tournaments.records.group_records import read_record
from tournaments.records.sides import balance_of
from tournaments.records.ties import (
    Entrants,
    beginning_of,
    is_called_for,
    legs_of_ties,
    read_entrants,
    read_legs,
    ways_into,
    where_tie_stands,
)
from tournaments.rounds.services.boards import seat_players
from tournaments.rounds.services.fixtures import start_fixtures
from tournaments.rounds.services.round_dates import date_at_start

WITHOUT_PLAY = frozenset({Decider.SEED, Decider.WITHDRAWAL, Decider.NEITHER, Decider.BYE, Decider.NOT_PLAYED})
"""The ways to decide a tie that are logged: the results alone do not tell who goes on."""


def play_ties(*, group: Group, ties: Iterable[Tie], now: datetime) -> list[Round]:
    """Decide each tie, or start the legs that it needs; return the rounds in which something was decided, in order.

    Where rounds have no length, nobody waits for others: winners whose next opponent is known go on at
    once, and so their ties are played in the same way, as in a round that has begun. Ties that are not decided cost no
    queries of their own.
    """
    decided: dict[int, Round] = {}
    waiting = list(ties)
    if not waiting:
        return []
    entrants = read_entrants(group)
    while waiting:
        followers: list[Tie] = []
        over = _play(group, waiting, entrants, now)
        while over:
            decided |= {tie.round_id: tie.round for tie in over}
            # Everybody is sent on first: where nobody comes from one tie, somebody may come from the other.
            reached = {follower.pk: follower for tie in over for follower in send_on(tie)}
            over = [follower for follower in reached.values() if _pass_over(group, follower)]
            followers += [follower for follower in reached.values() if follower.decided_at is None]
        at_once = group.stage.round_days is None
        waiting = [each for each in followers if _is_known(each) and (each.round.started_at or at_once)]
    return sorted(decided.values(), key=lambda each: each.number)


def load_ties(
    *, group: Group, round_: Round | None = None, entry: Entry | None = None, begun_only: bool = False
) -> list[Tie]:
    """Return the ties that are known and not decided, with round and entries, top of the bracket first.

    Only those of a round, of an entrant, and of rounds that have begun, if given.
    """
    if entry is not None:
        ties = _TIES_OF_ENTRY.all(group_id=group.pk, entry_id=entry.pk)
    elif round_ is not None:
        ties = _TIES_OF_ROUND.all(group_id=group.pk, round_id=round_.pk)
    else:
        ties = _TIES_OF_GROUP.all(group_id=group.pk)
    return [tie for tie in ties if not begun_only or tie.round.started_at is not None]


def _open_ties(group_id: Any, *conditions: Any, **fields: Any) -> QuerySet[Tie]:
    known = Tie.objects.filter(round__group=group_id, decided_at=None, first__isnull=False, second__isnull=False)
    return known.filter(*conditions, **fields).select_related("round", *OF_TIES).order_by(*IN_ORDER)


_TIES_OF_GROUP = CompiledQuery(_open_ties)
_TIES_OF_ROUND = CompiledQuery(lambda group_id, round_id: _open_ties(group_id, round=round_id))
_TIES_OF_ENTRY = CompiledQuery(lambda group_id, entry_id: _open_ties(group_id, Q(first=entry_id) | Q(second=entry_id)))
_FOLLOWERS = CompiledQuery(
    lambda tie_id: Tie.objects.filter(Q(first_from=tie_id) | Q(second_from=tie_id)).select_related("round", *OF_TIES)
)


def _is_known(tie: Tie) -> bool:
    return tie.first is not None and tie.second is not None


def _play(group: Group, ties: Iterable[Tie], entrants: Entrants, now: datetime) -> list[Tie]:
    """Return the ties that were decided just now; start what the others need."""
    open_ties = [tie for tie in ties if tie.decided_at is None and _is_known(tie)]
    decided: list[Tie] = []
    waiting = open_ties
    while waiting:
        legs = legs_of_ties(waiting)
        due: list[tuple[Tie, list[int]]] = []
        for tie in waiting:
            missing = _decide_or_name_legs(group, tie, legs[tie.pk], entrants)
            if tie.decided_at is not None:
                decided.append(tie)
            elif missing:
                due.append((tie, missing))
        fixtures = _new_legs(group, due, legs, now)
        start_fixtures(fixtures=fixtures, competition=group.competition, now=now)
        # Where a team has nobody at any board, its tie is lost before anybody could play.
        forfeited = {each.tie_id for each in fixtures if each.counted_at is not None}
        waiting = [tie for tie, _missing in due if tie.pk in forfeited]
    for round_ in {tie.round_id: tie.round for tie in open_ties}.values():
        _note_start(group, round_, now)
    return decided


def _decide_or_name_legs(group: Group, tie: Tie, legs: Sequence[Fixture], entrants: Entrants) -> list[int]:
    """Decide a tie if its results do, and return the numbers of the new legs that it needs otherwise."""
    first, second = tie.first, tie.second
    if first is None or second is None:
        return []
    decision, at = where_tie_stands(group, tie, legs, entrants)
    if decision.decided_by is not None:
        winner = None if decision.winner is None else first if decision.winner == first.pk else second
        _decide(group, tie, winner, decision.decided_by, at)
        return []
    begun = {fixture.leg for fixture in legs}
    return [leg for leg in range(1, decision.legs_due + 1) if leg not in begun]


def _new_legs(
    group: Group, due: Iterable[tuple[Tie, Iterable[int]]], legs: Mapping[int, Sequence[Fixture]], now: datetime
) -> list[Fixture]:
    """Return fixtures for the legs that are due, not stored yet; of two teams one for each board, manned.

    In a tie of one match the balance of sides says who is Yellow, in others the first entrant is in the odd legs; a
    tie that has begun goes on as it began. Of two teams the home team is meant by that, which is Yellow on odd boards.
    """
    due = list(due)
    new = [tie for tie, _missing in due if group.stage.chosen_options.legs == 1 and not legs[tie.pk]]
    balance = _balance(group, new) if new else None
    fixtures: list[Fixture] = []
    for tie, missing in due:
        first, second = _both(tie)
        if legs[tie.pk]:
            begun = read_legs(tie, legs[tie.pk])[0]
            is_swapped = (begun.sides.yellow == second.pk) == (begun.leg % 2 == 1)
        else:
            is_swapped = balance is not None and balance.give(first.pk, second.pk).yellow == second.pk
        odd = (second, first) if is_swapped else (first, second)
        for leg in missing:
            fixtures += _new_leg(group, tie, sides_of_leg(*odd, leg), leg, now)
    at_boards = [each for each in fixtures if each.board is not None]
    for round_ in {tie.round_id: tie.round for tie, _missing in due}.values():
        seat_players(fixtures=[each for each in at_boards if each.round_id == round_.pk], number=round_.number)
    return fixtures


def _balance(group: Group, ties: Iterable[Tie]) -> Balance[int]:
    """Return how often the entrants of these ties have been Yellow, or the home team, and what they were last."""
    if group.competition.boards is not None:
        return balance_of_record(read_record(group))
    return balance_of(entries=[entry.pk for tie in ties for entry in _both(tie)])


def _both(tie: Tie) -> tuple[Entry, Entry]:
    if tie.first is None or tie.second is None:
        raise ValueError("the players of this tie are not known yet")
    return tie.first, tie.second


def _new_leg(group: Group, tie: Tie, sides: BySide[Entry], leg: int, now: datetime) -> list[Fixture]:
    """Return the fixture of a leg, or those of its boards."""
    return [
        Fixture(
            competition_id=group.stage.competition_id,
            group_id=group.pk,
            round_id=tie.round_id,
            tie=tie,
            leg=leg,
            board=board,
            yellow=at_board.yellow,
            red=at_board.red,
            created_at=now,
        )
        for board, at_board in lay_boards(sides, group.competition.boards)
    ]


def _note_start(group: Group, round_: Round, now: datetime) -> None:
    if round_.started_at is None and Round.objects.filter(pk=round_.pk, started_at=None).update(started_at=now):
        round_.started_at = now
        date_at_start(round=round_, stage=group.stage, now=now)
        round_.save(update_fields=["ends_at", "dated_at"])


def _pass_over(group: Group, tie: Tie) -> bool:
    """Decide a tie that is not played, as nobody comes from a tie before, or that calls for none.

    Return whether this call did it.
    """
    if tie.decided_at is not None:
        return False
    before = ways_into(tie)
    moments = [each.decided_at for each in before if each.decided_at is not None]
    is_due = len(moments) == len(before) and is_called_for(group, tie)
    if len(moments) < len(before) or (is_due and _is_known(tie)):
        return False
    winner = (tie.first or tie.second) if is_due else None
    at = max([beginning_of(group), *moments])
    _decide(group, tie, winner, Decider.NOT_PLAYED if winner is None else Decider.BYE, at)
    return True


def _decide(group: Group, tie: Tie, winner: Entry | None, decided_by: Decider, at: datetime) -> None:
    tie.winner, tie.decided_by, tie.decided_at = winner, decided_by, at
    tie.save(update_fields=["winner", "decided_by", "decided_at"])
    if decided_by in WITHOUT_PLAY:
        subject = str(tie) if winner is None else f"{tie}: {winner}"
        log_action(competition=group.competition, action="tie-decided", subject=subject, reason=decided_by, now=at)


def send_on(tie: Tie) -> list[Tie]:
    """Put the winner, and the loser, into the ties that take them; return those.

    Nobody comes from a tie that went to nobody.
    """
    if tie.decided_at is None:
        return []
    loser = None if tie.loser_id is None else tie.second if tie.loser_id == tie.second_id else tie.first
    followers = _FOLLOWERS.all(tie_id=tie.pk)
    for follower in followers:
        if follower.first_from_id == tie.pk:
            follower.first = tie.winner if follower.first_takes == Outcome.WINNER else loser
        if follower.second_from_id == tie.pk:
            follower.second = tie.winner if follower.second_takes == Outcome.WINNER else loser
        follower.save(update_fields=["first", "second"])
    return followers
