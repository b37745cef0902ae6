"""Compare the history, the byes, a proposed round and the players of groups with the results. Nothing is changed."""

from collections import defaultdict
from collections.abc import Iterator

from django.db.models import F, Q

from formats.grouping import gather
from formats.protocol import Order
from formats.sides import sides_at
from matches.models import Status
from rules_engine.values import BySide
from tournaments.models import (
    Bye,
    Competition,
    CompetitionStatus,
    EntryStatus,
    Fixture,
    Group,
    PlaceChange,
    ProposedRound,
    Round,
    Seat,
    read_pairings,
)
from tournaments.records.groups import seats_by_entry
from tournaments.records.levels import arrivals_from, places_at, waiting_seats
from tournaments.records.outages import unforgiven_losses


def compare_history(group: Group) -> Iterator[str]:
    """Compare for whom places are kept with who has a result: both players of each, dated by its end.

    Results are left out that ended before the history of the group is known.
    """
    if group.stage.format_spec.order in {Order.BRACKET, Order.POSITIONS}:
        # A bracket keeps no places, and a challenge ladder every move: that is derived.
        return
    counted = Fixture.objects.filter(group=group, counted_at__isnull=False, is_annulled=False)
    if group.places_known_since is not None:
        counted = counted.filter(finished_at__gt=group.places_known_since)
    for fixture in counted.filter(is_in_history=False).values_list("pk", flat=True):
        yield f"fixture {fixture} counts, but no table was made after it for the history of places."
    rows = list(counted.filter(is_in_history=True).values_list("pk", "match", "finished_at", "yellow", "red"))
    seat_of = seats_by_entry(group_id=group.pk, entries=[entry for row in rows for entry in row[3:]])
    changes = PlaceChange.objects.filter(seat__group=group)
    stored = set(changes.values_list("match", "changed_at", "seat"))
    for fixture, match, ended_at, *both in rows:
        for entry in both:
            if (match, ended_at, seat_of.get(entry)) not in stored:
                yield f"fixture {fixture} counts, but the history has no place of entry {entry} after it."
    of_others = changes.filter(match__isnull=False).exclude(match__fixture__group=group)
    for match in of_others.values_list("match", flat=True).distinct():
        yield f"the history has places after match {match}, which was played elsewhere."


def compare_boards(group: Group) -> Iterator[str]:
    """Compare the boards of each meeting of two teams with how many there are, and for whom players sit at them."""
    boards = group.competition.boards
    met: dict[tuple[int | None, BySide[int]], list[int]] = defaultdict(list)
    sits_for: dict[int, int] = {}
    for each in Fixture.objects.filter(group=group, is_annulled=False).select_related("match").order_by("pk"):
        if (boards is None) != (each.board is None):
            yield f"fixture {each.pk} is at board {each.board}, but teams have {boards} boards."
            continue
        if each.board is None:
            continue
        met[each.round_id, sides_at(each.board, BySide(each.yellow_id, each.red_id))].append(each.board)
        for entry, player in ((each.yellow_id, each.yellow_player_id), (each.red_id, each.red_player_id)):
            if player is not None and each.match_id is not None and sits_for.setdefault(player, entry) != entry:
                yield f"player {player} sits at a board for entry {entry}, and has for entry {sits_for[player]}."
        if each.match is not None and (each.match.yellow_id, each.match.red_id) != tuple(each.player_ids):
            yield f"fixture {each.pk} is not played by those who sit at its board."
    for (round_id, teams), numbers in met.items():
        if len(set(numbers)) < len(numbers) or max(numbers) > (boards or 0):
            yield f"entries {teams.yellow} and {teams.red} meet in round {round_id} at boards {sorted(numbers)}."


def compare_running(group: Group) -> Iterator[str]:
    """Compare what goes on with who is in, with the ties that are decided, and with the rounds that come before."""
    playing = Fixture.objects.filter(group=group, is_annulled=False, match__status=Status.PLAYING)
    out = [EntryStatus.GONE, EntryStatus.REPLACED]
    for key in playing.filter(Q(yellow__status__in=out) | Q(red__status__in=out)).values_list("match", flat=True):
        yield f"match {key} goes on, but one of its entrants has left."
    for key in playing.filter(tie__decided_at__isnull=False).values_list("match", flat=True):
        yield f"match {key} goes on, but its tie is decided."
    for row in unforgiven_losses(competition_id=group.stage.competition_id, match_ids=playing.values("match")):
        yield f"match {row.match_id} goes on, but was lost on time, which is not forgiven any more."
    # A round that was published stands, whatever is taken back of the one before it.
    if group.stage.round_days is not None and not group.stage.abilities.pairs_by_results:
        unended = list(Round.objects.filter(group=group, ended_at=None).order_by("number"))
        for each in unended[1:]:
            if each.started_at is not None:
                yield f"round {each.number} has begun, but round {unended[0].number} before it has not ended."


def compare_stages(group: Group) -> Iterator[str]:
    """Refuse a group that has begun while one of the stage before goes on: it follows from all of them."""
    stage = group.stage
    if group.started_at is None or stage.number == 1 or group.competition.first_stage.gathers:
        return
    before = Group.objects.filter(stage__competition=stage.competition_id, stage__number=stage.number - 1)
    for letter in before.filter(ended_at=None).order_by("number").values_list("number", flat=True):
        yield f"stage {stage.number} has begun, but group {letter} of the stage before has not ended."


def compare_causes(group: Group) -> Iterator[str]:
    """Refuse annulled matches, of those that were begun, without the line of the log by which they count no more."""
    without = Fixture.objects.filter(group=group, is_annulled=True, cause=None, match__ply__gt=F("match__rolls"))
    for key in without.values_list("pk", flat=True):
        yield f"fixture {key} is annulled, but names no cause."


def compare_byes(group: Group) -> Iterator[str]:
    """Compare who sits out a round with who plays in it."""
    for bye in Bye.objects.filter(round__group=group).select_related("seat", "round").order_by("pk"):
        plays = Fixture.objects.filter(Q(yellow=bye.seat.entry_id) | Q(red=bye.seat.entry_id), is_annulled=False)
        if bye.seat.group_id != group.pk:
            yield f"seat {bye.seat_id} has a bye in round {bye.round.number}, and no seat in the group."
        if plays.filter(round=bye.round_id).exists():
            yield f"entry {bye.seat.entry_id} has a bye in round {bye.round.number}, and a match."


def compare_levels(competition: Competition) -> Iterator[str]:
    """Compare who has a place at each level with who goes on to it, and whether all groups that can form have formed.

    The first level is for everybody; groups stand as they have formed.
    """
    for stage in competition.all_stages:
        stage.competition = competition
        options = stage.grouping_options
        size = 0 if options is None else options.whenever or 0
        for group in Group.objects.filter(stage=stage, started_at__isnull=False).order_by("number"):
            if group.seats.count() != size:
                yield f"group {group.letter} of level {stage.number} has {group.seats.count()} seats, not {size}."
        waiting = [seat.entry_id for seat in waiting_seats(competition) if seat.stage_id == stage.pk]
        if competition.status == CompetitionStatus.RUNNING and gather(waiting, size):
            yield f"entries {waiting} wait at level {stage.number}, which is enough for a group."
        if competition.status == CompetitionStatus.CANCELLED:
            # From groups that were broken off nobody went on.
            continue
        following = competition.stages.filter(number=stage.number + 1).first()
        stored = [] if following is None else places_at(following)
        derived = arrivals_from(stage)
        if sorted(stored) != sorted(derived):
            yield f"entries {stored} have places at level {stage.number + 1}, but the results let {derived} go on."


def compare_proposed(group: Group) -> Iterator[str]:
    """Compare the round that waits for its organisers with the rounds before it, and with who has a seat."""
    proposed = ProposedRound.objects.filter(group=group).first()
    if proposed is None:
        return
    rounds = list(Round.objects.filter(group=group))
    number = max((each.number for each in rounds), default=0) + 1
    # A competition that was cancelled keeps it, for the case that this is taken back.
    is_over = group.ended_at is not None and group.competition.status != CompetitionStatus.CANCELLED
    if proposed.number != number or any(each.ended_at is None for each in rounds) or is_over:
        yield f"round {proposed.number} waits to be published, but round {number} is not due."
    placed = read_pairings(proposed.pairings).everybody
    drawn = read_pairings(proposed.drawn).everybody
    if len(set(placed)) != len(placed) or not set(placed) <= set(drawn):
        yield f"round {proposed.number} waits with seats {placed}, but {drawn} were drawn."
    if set(placed) - set(Seat.objects.filter(group=group).values_list("pk", flat=True)):
        yield f"round {proposed.number} waits with seats that are not in the group."
