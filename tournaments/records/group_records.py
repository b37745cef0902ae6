"""Records of groups, from which formats derive ties, pairings and tables. Reads only."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from django.db.models import F, Q

from formats import protocol
from formats.pairing.legs import Absence
from formats.protocol import Game, HeldRound, Record
from formats.team_meetings import join_boards
from tournaments.models import (
    Bye,
    ByeRequest,
    Competition,
    Disqualification,
    Entry,
    EntryStatus,
    Fixture,
    Group,
    Round,
    Seat,
    Stage,
)
from tournaments.models.elo import START
from tournaments.records.entrant_ratings import ratings_now
from tournaments.records.games import read_game

Absences = Mapping[int, Sequence[Absence[int]]]
"""The times when the places of a competition were empty, by the ids of the entries that hold them now."""


def absences_in(*, competition_id: int) -> Absences:
    """Return when entrants of a competition had withdrawn and nobody had taken their places over yet. One query."""
    rows = (
        Entry.objects.filter(Q(left_at__isnull=False) | Q(replaces__isnull=False), competition=competition_id)
        .annotate(taken_by=F("replaced_by"), taken_at=F("replaced_by__entered_at"))
        .order_by("pk")
        .values_list("pk", "status", "left_at", "taken_by", "taken_at")
    )
    successors = {key: taken_by for key, _, _, taken_by, _ in rows}
    absences: dict[int, list[Absence[int]]] = defaultdict(list)
    for key, status, left_at, _, taken_at in rows:
        if left_at is None or (status != EntryStatus.GONE and (taken_at is None or taken_at <= left_at)):
            continue
        holder = key
        while (successor := successors.get(holder)) is not None:
            holder = successor
        absences[holder].append(Absence(holder, left_at, taken_at))
    return absences


def read_record(group: Group, *, as_of: datetime | None = None) -> Record[int]:
    """Return the record of a group; its entrants are the ids of their entries, in the order of the seeds.

    Seats without a seed are left out. The last player to take a seat over stands for all who had it before. ``as_of``
    is the moment for which the table is asked. Eight queries at any size, where the stage and its competition were read
    with the group.
    """
    return read_records([group], as_of=as_of)[0]


def read_records(groups: Sequence[Group], *, as_of: datetime | None = None) -> list[Record[int]]:
    """Return the records of groups of one stage, as ``read_record`` does: eight queries for any number of them."""
    if not groups:
        return []
    stage = groups[0].stage
    rounds: dict[int, list[Round]] = defaultdict(list)
    for round_ in Round.objects.filter(group__in=groups).order_by("number"):
        rounds[round_.group_id].append(round_)
    byes = _read_byes(groups)
    seats = _read_seats(groups, rounds)
    games = _read_games(groups)
    return [
        Record(
            seats=tuple(seats[group.pk]),
            games=tuple(games[group.pk]),
            rounds=tuple(
                HeldRound(
                    each.number,
                    each.started_at,
                    each.cut_short_at,
                    each.ended_at,
                    byes=byes[each.pk, False],
                    asked_byes=byes[each.pk, True],
                )
                for each in rounds[group.pk]
            ),
            point_table=stage.competition.scoring,
            began_at=group.started_at,
            in_rounds=stage.round_days is not None,
            as_of=group.ended_at or as_of,
        )
        for group in groups
    ]


def read_bye_requests(stage: Stage) -> Mapping[int, frozenset[int]]:
    """Return the rounds that entrants of a stage have asked to sit out, by the ids of their entries. One query."""
    requests = ByeRequest.objects.filter(seat__stage=stage)
    return {entry: frozenset({number}) for entry, number in requests.values_list("seat__entry", "round_number")}


def _read_seats(
    groups: Sequence[Group], rounds: Mapping[int, Sequence[Round]]
) -> Mapping[int, Sequence[protocol.Seat[int]]]:
    """Return the seats with a seed, by the ids of the groups, in the order of the seeds."""
    competition = groups[0].competition
    absences = absences_in(competition_id=competition.pk)
    ratings = ratings_now(competition)
    came = _first_came(competition)
    began = {group.pk: group.started_at for group in groups}
    # An entrant who comes at the moment at which a round is drawn comes after it; other added rounds begin with a
    # latecomer.
    find_next = bisect_right if groups[0].stage.abilities.pairs_by_results else bisect_left
    begun = {
        group.pk: sorted(each.drawn_at or each.started_at for each in rounds[group.pk] if each.started_at is not None)
        for group in groups
    }
    found: dict[int, list[protocol.Seat[int]]] = defaultdict(list)
    rows = Seat.objects.filter(group__in=groups, seed__isnull=False).order_by("seed")
    columns = ("group", "entry", "seed", "entry__draw", "bye_request__round_number", "entry__disqualification")
    for group_id, entry, seed, lot, asked_bye, disqualification in rows.values_list(*columns):
        key = group_id or 0
        found[key].append(
            protocol.Seat(
                entrant=entry,
                seed=seed or 0,
                lot=lot,
                rating=ratings.get(entry, START),
                first_round=_first_round(came[entry], began[key], begun[key], find_next),
                asked_byes=frozenset() if asked_bye is None else frozenset({asked_bye}),
                absences=tuple(protocol.Absence(each.since, each.until) for each in absences.get(entry, ())),
                entered_at=came[entry],
                is_disqualified=bool(disqualification),
                is_annulled=disqualification == Disqualification.ANNULLED,
            )
        )
    return found


def _first_came(competition: Competition) -> Mapping[int, datetime]:
    """Return when a seat was first taken, by the ids of entries: who replaces somebody came with who was replaced."""
    came: dict[int, datetime] = {}
    # Nobody replaces who entered later.
    entered = Entry.objects.filter(competition=competition.pk).order_by("pk")
    for entry, replaced, entered_at in entered.values_list("pk", "replaces", "entered_at"):
        came[entry] = entered_at if replaced is None else came[replaced]
    return came


def _first_round(
    came_at: datetime,
    began_at: datetime | None,
    begun: Sequence[datetime],
    find_next: Callable[[Sequence[datetime], datetime], int],
) -> int:
    """Return the first round that an entrant could play: for who came late, the next after those that had begun."""
    if began_at is None or came_at <= began_at:
        return 1
    return find_next(begun, came_at) + 1


def _read_byes(groups: Sequence[Group]) -> Mapping[tuple[int, bool], tuple[int, ...]]:
    """Return the entries with byes, by the ids of their rounds and whether they asked for them."""
    byes: dict[tuple[int, bool], tuple[int, ...]] = defaultdict(tuple)
    rows = Bye.objects.filter(round__group__in=groups).order_by("pk")
    for round_, is_asked, entry in rows.values_list("round", "is_asked", "seat__entry"):
        byes[round_, is_asked] += (entry,)
    return byes


def _read_games(groups: Sequence[Group]) -> Mapping[int, Sequence[Game[int]]]:
    """Return the matches that are not annulled, by the ids of the groups; the boards of two teams are one."""
    annulled = Fixture.objects.filter(group__in=groups, is_annulled=True, tie__isnull=False)
    taken_back = set(annulled.values_list("tie", "leg", "board"))
    fixtures = Fixture.objects.filter(group__in=groups, is_annulled=False).select_related("round", "tie__round")
    games: dict[int, list[tuple[int | None, Game[int]]]] = defaultdict(list)
    for each in fixtures.order_by("pk"):
        tie, is_again = each.tie, (each.tie_id, each.leg, each.board) in taken_back
        number = 0 if each.round is None else each.round.number
        game = read_game(each, round_=number, tie=tie.key if tie else None, is_again=is_again)
        games[each.group_id].append((each.board, game))
    return defaultdict(list, {group_id: join_boards(of_group) for group_id, of_group in games.items()})
