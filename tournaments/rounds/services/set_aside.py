"""Matches that count no more because of what they followed from, and that count again where the draw has them again.

What is stored of such a match is its place in the draw. Whenever the same two are to meet there again, it is taken up:
its result counts, or it goes on from where it stood, in place of a new one. So nothing has to remember what an undoing
cost: what is derived without its cause is back. Callers hold the competition's lock.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from datetime import datetime, timedelta
from hashlib import sha256

from django.db.models import F, Q, QuerySet

from rules_engine.values import Ending
from tournaments.models import (
    SITTING,
    Annulment,
    Competition,
    Correction,
    Entry,
    Fixture,
    Group,
    LogEntry,
    Round,
    Seat,
    Tie,
)
from tournaments.records.groups import first_group_id
from tournaments.rounds.services.consequences import annul_matches
from tournaments.rounds.services.going_on import let_match_go_on
from tournaments.tables.services.ratings import count_rated_again
from tournaments.tables.services.standings import mark_groups_stale

MAX_ROWS = 250
"""Rows that are changed by one statement, whose cost grows with their square."""

NO_RESULT = {
    "counted_at": None,
    "finished_at": None,
    "ending": "",
    "points_yellow": None,
    "points_red": None,
    "goals_yellow": None,
    "goals_red": None,
}
"""The columns of a fixture's result, as they are without one."""

_CARRIED = (
    "match",
    "yellow",
    "red",
    "yellow_player",
    "red_player",
    "created_at",
    "is_notified",
    "is_in_history",
    "correction",
    *NO_RESULT,
)
"""What a fixture takes over from the one that is taken up in its place."""


def set_aside_in(competition: Competition) -> QuerySet[Fixture]:
    """Return the fixtures of a competition that were set aside, and not taken up since."""
    return Fixture.objects.filter(competition_id=competition.pk, is_annulled=True).exclude(draw_place="")


def set_aside(*, fixtures: Iterable[Fixture], now: datetime) -> int:
    """Let fixtures count no more until the draw has them again, and return how many counted.

    Those that an organiser has annulled are annulled there again.
    """
    placed = Fixture.objects.filter(
        Q(is_annulled=False) | Q(annulment=Annulment.DECIDED), pk__in=[each.pk for each in fixtures]
    )
    aside = list(placed.select_related("match", "round").order_by("pk"))
    counting = [each for each in aside if not each.is_annulled]
    annul_matches(fixtures=counting, now=now)
    for place, each in zip(_places_of(aside), aside, strict=True):
        each.is_annulled, each.draw_place, each.round_left = True, place, _time_left(each.round, now)
    Fixture.objects.bulk_update(aside, ["is_annulled", "draw_place", "round_left"], batch_size=MAX_ROWS)
    return len(counting)


def _time_left(round_: Round | None, now: datetime) -> timedelta | None:
    """Return what is left of the days of a round that goes on, if its date follows from them and has not passed."""
    if round_ is None or round_.started_at is None or round_.ended_at is not None or round_.dated_at is not None:
        return None
    return round_.ends_at - now if round_.ends_at is not None and round_.ends_at > now else None


def put_away(*, competition: Competition, fixtures: QuerySet[Fixture], now: datetime) -> None:
    """Set aside fixtures whose rounds, ties or groups will be deleted: they go to the competition's first group.

    Those of which nothing is to be remembered are deleted. A fixture that is played again follows its replay.
    """
    keys = list(fixtures.values_list("pk", flat=True))
    stored = Fixture.objects.filter(pk__in=keys)
    set_aside(fixtures=stored, now=now)
    stored.filter(match=None).exclude(ending=Ending.ADJUDICATION).delete()
    stored.filter(draw_place="").update(annulment="")
    home = first_group_id(competition_id=competition.pk)
    stored.update(group=home, round=None, tie=None, is_annulled=True, is_in_history=False)


@contextmanager
def naming_cause(*, competition: Competition, action: str = "") -> Iterator[None]:
    """Let all that is annulled in this context name its cause: the first line of the log that is written in it.

    With an ``action``, the first line of that.
    """
    lines = LogEntry.objects.filter(competition_id=competition.pk).order_by("pk")
    last = lines.values_list("pk", flat=True).last() or 0
    without = Fixture.objects.filter(competition_id=competition.pk, is_annulled=True, cause=None)
    before = set(without.values_list("pk", flat=True))
    yield
    new = lines.filter(pk__gt=last, **({"action": action} if action else {})).values("pk")[:1]
    Fixture.objects.filter(pk__in=set(without.values_list("pk", flat=True)) - before).update(cause=new)


def _places_of(fixtures: Collection[Fixture]) -> list[str]:
    """Return where in the draw each fixture is played, as a text; nothing for what is paired without a draw.

    Who holds a place now does not matter. Four queries at any size.
    """
    rounds = Round.objects.filter(pk__in={each.round_id for each in fixtures})
    numbers = {key: both for key, *both in rounds.values_list("pk", "group__stage__number", "number")}
    ties = Tie.objects.filter(pk__in={each.tie_id for each in fixtures})
    slots = {key: both for key, *both in ties.values_list("pk", "part", "slot")}
    first = _first_holders(fixtures)
    members = _members_of(fixtures, first)
    places = []
    for each in fixtures:
        if each.round_id is None:
            places.append(each.draw_place)
            continue
        # Pairings have sides; in a tie these follow from the matches before.
        within = slots.get(each.tie_id or 0) or [
            members.get(each.group_id, ""),
            first.get(each.yellow_id, each.yellow_id),
        ]
        places.append("/".join(map(str, [*numbers[each.round_id], *within, each.leg, each.board or 0])))
    return places


def _first_holders(fixtures: Iterable[Fixture]) -> dict[int, int]:
    """Return who held a place first, by the ids of the entries that have taken one over."""
    first: dict[int, int] = {}
    competitions = {each.competition_id for each in fixtures}
    taken_over = Entry.objects.filter(competition__in=competitions, replaces__isnull=False).order_by("pk")
    # Nobody replaces who entered later.
    for entry, replaced in taken_over.values_list("pk", "replaces"):
        first[entry] = first.get(replaced or 0, replaced or 0)
    return first


def _members_of(fixtures: Iterable[Fixture], first: Mapping[int, int]) -> dict[int, str]:
    """Return a digest of whose places are in the groups of these fixtures that are no brackets.

    Others make another group.
    """
    groups = {each.group_id for each in fixtures if each.tie_id is None and each.round_id is not None}
    members: dict[int, list[int]] = defaultdict(list)
    seats = Seat.objects.filter(group__in=groups).order_by("entry")
    for group, entry in seats.values_list("group", "entry") if groups else ():
        members[group or 0].append(first.get(entry, entry))
    return {group: sha256(repr(sorted(entries)).encode()).hexdigest()[:16] for group, entries in members.items()}


def take_up(*, competition: Competition, fixtures: Sequence[Fixture], now: datetime) -> None:
    """Put into these fixtures what was set aside of the same two at the same place; those that are new are not stored.

    One query where nothing was. Of several the last that was set aside counts: it is what followed last.
    """
    drawn = [each for each in fixtures if each.round_id is not None or each.draw_place]
    if not drawn or not set_aside_in(competition).exists():
        return
    wanted = {
        (place, frozenset({each.yellow_id, each.red_id})): each
        for place, each in zip(_places_of(drawn), drawn, strict=True)
    }
    places = sorted({place for place, _entrants in wanted})
    found = set_aside_in(competition).filter(draw_place__in=places)
    # What is set aside by the act that goes on names no cause yet.
    in_order = found.select_related("match", *SITTING).order_by(F("cause").asc(nulls_last=True), "pk")
    chosen = {}
    for old in in_order:
        key = old.draw_place, frozenset({old.yellow_id, old.red_id})
        if key in wanted and _can_go_on(wanted[key], old, competition):
            chosen[key] = wanted[key], old
    taken = list(chosen.values())
    _let_rounds_go_on(drawn, taken, now)
    for fixture, old in taken:
        _put(old, fixture, competition, now)
    if taken:
        mark_groups_stale(groups=Group.objects.filter(pk__in={fixture.group_id for fixture, _old in taken}), now=now)


def take_up_begun(*, group: Group, tie: Tie, now: datetime) -> bool:
    """Take up what had begun of a tie before one of its two entrants left; return whether anything was."""
    fixtures = _again_in(group, tie, [tie.first_id or 0, tie.second_id or 0])
    take_up(competition=group.competition, fixtures=fixtures, now=now)
    return any(each.pk is not None for each in fixtures)


def _again_in(group: Group, tie: Tie, entries: Collection[int]) -> list[Fixture]:
    """Return fixtures, not stored, for what was set aside of two entrants in a tie."""
    place = "/".join(map(str, [group.stage.number, tie.round.number, tie.part, tie.slot, ""]))
    aside = set_aside_in(group.competition).filter(draw_place__startswith=place, yellow__in=entries, red__in=entries)
    again: dict[tuple[int, int | None], Fixture] = {}
    for old in aside.select_related(*SITTING).order_by("pk"):
        fixture = copy(old)
        fixture.pk, fixture._state.adding = None, True  # noqa: SLF001 - it is no row yet
        fixture.group, fixture.round, fixture.tie, fixture.draw_place, fixture.replay = group, tie.round, tie, "", None
        again[old.leg, old.board] = fixture
    return list(again.values())


def _let_rounds_go_on(drawn: Sequence[Fixture], taken: Collection[tuple[Fixture, Fixture]], now: datetime) -> None:
    """Let rounds that begin again have the time that was left; one in which a match is new has all of its days."""
    left: dict[int, timedelta] = {}
    for fixture, old in taken:
        if old.round_left is not None and fixture.round_id is not None:
            left[fixture.round_id] = max(old.round_left, left.get(fixture.round_id, old.round_left))
    again = {id(fixture) for fixture, _old in taken}
    new = {each.round_id for each in drawn if id(each) not in again}
    for round_id, time in left.items():
        if round_id not in new:
            Round.objects.filter(pk=round_id, dated_at=None, ends_at__gt=now + time).update(ends_at=now + time)


def _can_go_on(fixture: Fixture, old: Fixture, competition: Competition) -> bool:
    """Return whether what was set aside is the match that would be played: the same people, game and clock."""
    if old.match is None:
        # What was decided without play stays decided; forfeits follow from withdrawals as they are now.
        return old.ending == Ending.ADJUDICATION
    players, match = (old.match.yellow_id, old.match.red_id), old.match
    is_same = (match.game, match.time_control) == (competition.game, competition.time_control)
    return is_same and set(players) == set(fixture.player_ids)


def _put(old: Fixture, fixture: Fixture, competition: Competition, now: datetime) -> None:
    is_annulled = old.annulment == Annulment.DECIDED
    # The older row stays: who follows a link to it finds the match.
    kept = old.pk if fixture.pk is None else min(old.pk, fixture.pk)
    gone = {old.pk, fixture.pk} - {kept, None}
    Fixture.objects.filter(replay__in=gone).update(replay=kept)
    Correction.objects.filter(fixture__in=gone).update(fixture=kept)
    Fixture.objects.filter(pk__in=gone).delete()
    fixture.pk, fixture._state.adding = kept, False  # noqa: SLF001 - it is the stored row from now on
    for name in _CARRIED:
        setattr(fixture, name, getattr(old, name))
    fixture.is_annulled, fixture.annulment = is_annulled, old.annulment
    fixture.cause_id = old.cause_id if is_annulled else None
    fixture.save()
    Fixture.objects.filter(replay=fixture).update(group=fixture.group_id, round=fixture.round_id, tie=fixture.tie_id)
    if fixture.match_id is None or is_annulled:
        return
    if fixture.counted_at is None:
        let_match_go_on(fixture=fixture, competition=competition, now=now)
    else:
        count_rated_again(match_id=fixture.match_id)
