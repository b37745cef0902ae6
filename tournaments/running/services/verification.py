"""Compare what is stored of competitions and ratings with what the results alone give. Nothing is changed."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from django.db.models import Q

from formats.protocol import Order
from matches.models import Match, Status
from players.models import Rating
from rules_engine.values import Side
from tournaments.models import (
    OF_PLAY,
    Competition,
    CompetitionStatus,
    Entry,
    Fixture,
    Group,
    PlaceChange,
    RatingChange,
    RatingDue,
    Seat,
    Standing,
    Title,
)
from tournaments.models import elo as rating
from tournaments.models.elo import RatedMatch
from tournaments.records.brackets import final_places_of
from tournaments.records.challenges import derive_place_changes, positions_after
from tournaments.records.competitions import ENTRY_NUMBERS, IN_COMPETITION
from tournaments.records.cups import find_winner
from tournaments.records.derived_ties import derive_ties
from tournaments.records.groups import first_group_id, groups_of, is_pairing_due
from tournaments.records.qualifiers import players_of, qualifiers_of
from tournaments.records.results import result_of
from tournaments.records.stages import stages_of
from tournaments.records.standings import ALL_TIME, Line, compute_table, window_start
from tournaments.records.table_sections import has_sections, sections_of_rows, stored_sections
from tournaments.rounds.services.fixtures import OPEN
from tournaments.running.selectors.waiting_lists import waiting_list, waiting_to_move_up
from tournaments.running.services.ladder_seats import noted_wrongly
from tournaments.running.services.verification_of_groups import (
    compare_boards,
    compare_byes,
    compare_causes,
    compare_history,
    compare_levels,
    compare_proposed,
    compare_running,
    compare_stages,
)
from tournaments.tables.selectors.records import count_listed_by_points, stored_counts
from tournaments.tables.selectors.tables import has_positions, ladder_positions
from tournaments.tables.selectors.titles import derive_members, derive_title
from tournaments.tables.services.ratings import RATED_WINNER, rated_matches
from tournaments.tables.services.standing_rows import read_lines

OF_GROUPS = (
    compare_history,
    compare_byes,
    compare_proposed,
    compare_boards,
    compare_running,
    compare_stages,
    compare_causes,
)
"""What is compared in every group of a competition."""


def verify_settled() -> list[str]:
    """Return one sentence for every match that is settled, but not counted."""
    uncounted = Fixture.objects.filter(
        match__settled_at__isnull=False, match__annulled_at=None, counted_at=None, is_annulled=False
    )
    return [
        f"Match {match} is settled, but its fixture is not counted."
        for match in uncounted.values_list("match", flat=True)
    ]


def waiting_in_competition(*, competition: Competition, now: datetime) -> list[str]:
    """Return one sentence for everything in a competition that waits to be counted and may make a difference."""
    unsettled = Match.objects.filter(
        competition=competition.pk, status=Status.FINISHED, settled_at=None, annulled_at=None
    )
    waiting = [f"Match {match} is over, and waits to be settled." for match in unsettled.values_list("pk", flat=True)]
    if is_pairing_due(competition=competition):
        waiting.append(f"A round of {competition} waits to be drawn.")
    groups = groups_of(competition)
    for group in groups:
        name = str(competition) if len(groups) == 1 else str(group)
        if group.standings_stale_since is not None:
            waiting.append(f"The table of {name} waits to be made.")
        elif _window_has_moved(group, now):
            waiting.append(f"The table of {name} waits for results to go out of date.")
    return waiting


def waiting_in_family(*, family: str) -> list[str]:
    """Return one sentence for every match of a family of games that waits to be rated."""
    due = RatingDue.objects.filter(family=family).order_by("match").values_list("match", flat=True)
    return [f"Match {match} waits to be rated." for match in due.distinct()]


def _window_has_moved(group: Group, now: datetime) -> bool:
    """Return whether the table is what it was before its window moved at midnight, and no other one yet."""
    if group.competition.status != CompetitionStatus.RUNNING or window_start(group, now) == ALL_TIME:
        return False
    return any(_compare_table(group, now)) and not any(_compare_table(group, now - timedelta(days=1)))


def verify_competition(*, competition: Competition, now: datetime) -> list[str]:
    """Return one sentence for everything stored of a competition that its results do not bear out."""
    groups = groups_of(competition)
    faults = [
        fault
        for group in groups
        for fault in (
            _compare_bracket(group) if group.stage.format_spec.order is Order.BRACKET else _compare_table(group, now)
        )
    ]
    faults += [fault for group in groups for compare in OF_GROUPS for fault in compare(group)]
    faults += compare_levels(competition) if competition.first_stage.gathers else _compare_seats(groups)
    if competition.first_stage.format_spec.order is Order.POSITIONS:
        faults += _compare_positions(competition)
    if competition.is_endless:
        faults += _compare_known_games(competition)
        faults += _compare_known_seats(competition)
    if not competition.is_endless:
        faults += _compare_winner(competition, groups)
    faults += _compare_title(competition)
    faults += _compare_points(competition)
    faults += _compare_waiting_list(competition)
    faults += _compare_numbers(competition)
    faults += _compare_seats_on_ladder(competition)
    return [f"{competition}: {fault}" for fault in faults]


def verify_ratings(*, family: str) -> list[str]:
    """Return one sentence for every rating, and every change of one, that the rated matches do not bear out."""
    rows = list(rated_matches(family=family).values_list("pk", "yellow", "red", RATED_WINNER))
    matches = [RatedMatch(yellow, red, Side(winner) if winner else None) for _, yellow, red, winner in rows]
    states, changes = rating.replay(matches)
    derived = {
        (match, (yellow, red)[number]): (change.before.rating, change.after.rating)
        for (match, yellow, red, _), both in zip(rows, changes, strict=True)
        for number, change in enumerate(both)
    }
    stored = {
        (match, player): (before, after)
        for match, player, before, after in RatingChange.objects.filter(family=family).values_list(
            "match", "player", "before", "after"
        )
    }
    faults = [
        f"Match {match}, player {player}: the rating went {_arrow(stored.get((match, player)))}, "
        f"but the matches give {_arrow(derived.get((match, player)))}."
        for match, player in sorted(derived.keys() | stored.keys())
        if derived.get((match, player)) != stored.get((match, player))
    ]
    kept = {
        row[0]: rating.RatingState(*row[1:])
        for row in Rating.objects.filter(family=family).values_list("player", "rating", "games", "wins", "rank")
    }
    faults += [
        f"Player {player}: stored is {kept.get(player)}, but the matches give {states.get(player)}."
        for player in sorted(kept.keys() | states.keys())
        if kept.get(player) != states.get(player)
    ]
    unlisted = Q(is_listed=False, player__is_active=True)
    listed = Q(is_listed=True, player__is_active=False, player__closing_finished_at__isnull=False)
    wrong = Rating.objects.filter(unlisted | listed, family=family).order_by("player")
    faults += [
        f"Player {rating.player_id}: {'' if rating.is_listed else 'not '}in the list of {family}, unlike the account."
        for rating in wrong
    ]
    counted, counts = count_listed_by_points(family), stored_counts(family)
    return faults + [
        f"Rating {points}: {counts[points]} players count as in the list of {family}, but {counted[points]} are in it."
        for points in sorted(counted.keys() | counts.keys())
        if counted[points] != counts[points]
    ]


def _arrow(change: tuple[object, object] | None) -> str:
    return "nowhere" if change is None else f"from {change[0]} to {change[1]}"


def _compare_table(group: Group, now: datetime) -> Iterator[str]:
    stored = read_lines(group_id=group.pk)
    derived = {line.seat_id: line for line in compute_table(group=group, now=now)}
    for seat in sorted(stored.keys() | derived.keys()):
        kept, line = stored.get(seat), derived.get(seat)
        if kept != line:
            yield f"seat {seat} is {_describe(kept)}, but the results give {_describe(line)}."
    if has_sections(group.stage):
        if stored_sections(group_id=group.pk) != sections_of_rows(group_id=group.pk):
            yield "the sections by which its pages are found are not in the order of its rows."
        yield from _compare_noted_places(group)


def _compare_noted_places(group: Group) -> Iterator[str]:
    """Compare who of a ladder is noted as having a place with the rows of its table."""
    for seat, noted, place in (
        Seat.objects.filter(group=group).order_by("pk").values_list("pk", "has_place", "standing__place")
    ):
        if noted != (place is not None):
            yield f"seat {seat} is noted as {'having a' if noted else 'without'} place, but has place {place}."


def _compare_points(competition: Competition) -> Iterator[str]:
    """Compare every result that counts with what its match, or the correction, gives in the competition."""
    counted = Fixture.objects.filter(competition_id=competition.pk, counted_at__isnull=False, is_annulled=False)
    for fixture in counted.select_related("match", "correction").defer(*OF_PLAY).order_by("pk").iterator():
        result, points = result_of(fixture, competition), fixture.points
        if points is not None and result is not None and points != result.points:
            given, worth = (f"{each.yellow}-{each.red}" for each in (points, result.points))
            yield f"fixture {fixture.pk} counts {given}, but its result is worth {worth}."
        is_corrected = fixture.correction is not None
        if fixture.match is not None and (fixture.match.corrected_at is not None) != is_corrected:
            yield f"match {fixture.match_id} is {'not ' if is_corrected else ''}noted as corrected, unlike its fixture."


def _describe(line: Line | None) -> str:
    return "not in the table" if line is None else ", ".join(f"{key} {value}" for key, value in line._asdict().items())


def _compare_positions(ladder: Competition) -> Iterator[str]:
    history = derive_place_changes(ladder_id=ladder.pk)
    order = tuple(positions_after(history))
    on_ladder = ladder_positions(first_group_id(competition_id=ladder.pk))
    stored = tuple(on_ladder.values_list("pk", flat=True))
    if stored != order:
        yield f"the order is {stored}, but what happened gives {order}."
    recorded = PlaceChange.objects.filter(competition=ladder.pk).values_list("seat", "place", "match", "changed_at")
    derived = [(change.seat_id, change.place, change.match_id, change.changed_at) for change in history]
    if sorted(map(str, recorded)) != sorted(map(str, derived)):
        yield "the history of the positions is not what happened gives."


def _compare_bracket(group: Group) -> Iterator[str]:
    """Compare the ties of a bracket that has begun, and once it is over its places."""
    if group.started_at is None:
        return
    yield from _compare_ties(group)
    if group.ended_at is None:
        return
    kept = dict(Standing.objects.filter(group=group).values_list("seat__entry", "place"))
    for entry, place in final_places_of(group.pk).items():
        if kept.get(entry) != place:
            yield f"entry {entry} has place {kept.get(entry)}, but the bracket gives {place}."


def _compare_seats(groups: Sequence[Group]) -> Iterator[str]:
    """Compare who plays each later stage with who goes on to it from the one before."""
    stages = {group.stage_id: group.stage for group in groups}
    for before, after in pairwise(stages.values()):
        derived = qualifiers_of(before, draw_seed=after.draw_seed or 0)
        stored = players_of(after)
        if stored != derived:
            yield f"entries {stored} play stage {after.number}, but the results let {derived} go on to it."


def _compare_ties(group: Group) -> Iterator[str]:
    for row in derive_ties(group):
        tie = row.tie
        if not tie.decided_by and group.competition.status == CompetitionStatus.CANCELLED:
            # Nothing was decided any more.
            continue
        if row.is_other:
            fault = f"entries {tie.first_id} and {tie.second_id} meet in tie {tie.pk}, but the ties before give others"
            yield f"{fault}. It has been played: an organiser has to decide." if row.is_left else f"{fault}."
        if row.winner != tie.winner_id and not (row.winner is None and row.is_other):
            given = "decide nothing" if row.winner is None else f"give entry {row.winner}"
            yield f"tie {tie.pk} is won by entry {tie.winner_id}, but its results {given}."
        elif not row.is_other and bool(row.decided_by) != bool(tie.decided_by):
            yield f"tie {tie.pk} {_how(tie.decided_by)}, but by its results it {_how(row.decided_by)}."


def _how(decided_by: str) -> str:
    return f"is decided ({decided_by})" if decided_by else "is open"


def _compare_winner(competition: Competition, groups: Sequence[Group]) -> Iterator[str]:
    if competition.status != CompetitionStatus.FINISHED:
        return
    winner = find_winner(groups[-1].stage)
    if competition.winner_id != winner:
        yield f"entry {competition.winner_id} is the winner, but the results give entry {winner}."


def _compare_title(competition: Competition) -> Iterator[str]:
    """Compare the title with the stored winner, which is compared with the results."""
    stored, derived = Title.objects.filter(competition=competition.pk).first(), derive_title(competition)
    members = set() if stored is None else set(stored.members.values_list("pk", flat=True))
    was = _write_title(stored, members)
    becomes = _write_title(derived, set() if derived is None else derive_members(competition))
    if was != becomes:
        yield f"the title is {was}, but the winner gives {becomes}."


def _write_title(title: Title | None, members: Collection[int]) -> str:
    if title is None:
        return "nobody's"
    team = "" if title.team_id is None else f" with team {title.team_id} and players {sorted(members)}"
    return f"{title.kind} of player {title.player_id}{team}, {title.family}, {title.won_at}"


def _compare_numbers(competition: Competition) -> Iterator[str]:
    """Compare the stored numbers of who is in the competition and who has left it with its entries."""
    row = Competition.objects.filter(pk=competition.pk).order_by()
    stored, counted = row.values_list(*ENTRY_NUMBERS).get(), row.values_list(*ENTRY_NUMBERS.values()).get()
    for name, number, of_entries in zip(ENTRY_NUMBERS, stored, counted, strict=True):
        if number != of_entries:
            yield f"{number} {name} are stored, but its entries give {of_entries}."


def _compare_seats_on_ladder(competition: Competition) -> Iterator[str]:
    """Compare who is noted as being on a ladder with the entries; in a cup nobody is."""
    for seat in noted_wrongly(Seat.objects.filter(stage__competition=competition.pk)).order_by("pk"):
        noted, right = ("on", "off") if seat.is_on_ladder else ("off", "on")
        yield f"seat {seat.pk} is noted as {noted} the ladder, but its entry is {right} it."


def _compare_known_seats(ladder: Competition) -> Iterator[str]:
    """Compare how many seats a ladder is known to have by its stored numbers with those that it has."""
    # The numbers are read anew, as those of entries are.
    for stage in stages_of(Competition.objects.get(pk=ladder.pk)):
        seats = Seat.objects.filter(stage=stage.stage).count()
        if stage.entrants != seats:
            yield f"its numbers give {stage.entrants} seats, but there are {seats}."


def _compare_known_games(competition: Competition) -> Iterator[str]:
    """Yield a sentence for everybody of whom fewer games are running than the next pairing of the ladder would take."""
    known = Entry.objects.filter(competition=competition.pk, known_games__gt=0).order_by("pk")
    running: Counter[int] = Counter()
    if known:
        games = Fixture.objects.filter(OPEN, competition=competition.pk)
        players = ("challenger",) if has_positions(competition.first_stage) else ("yellow", "red")
        running.update(key for keys in games.values_list(*players) for key in keys)
    for entry in known:
        if running[entry.pk] < entry.known_games:
            yield f"entry {entry.pk} has {running[entry.pk]} running games, but {entry.known_games} are known."


def _compare_waiting_list(competition: Competition) -> Iterator[str]:
    """Yield a sentence for everybody who waits for a place that is free, or is in the competition."""
    is_in = Entry.objects.filter(competition=competition.pk, status__in=IN_COMPETITION).values("player")
    for waiting in waiting_list(competition).filter(player__in=is_in):
        yield f"{waiting} is in it, and on its waiting list."
    for waiting in waiting_to_move_up(competition):
        yield f"{waiting} waits although a place is free."
