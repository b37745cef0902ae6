"""Let groups form one by one, each as soon as enough players wait, and let those who go on wait a level higher.

Those who wait first play first: at the first level in the order of entry, above it in the order in which the groups
below have ended, unless an organiser has moved them. So whatever has ended comes before this; callers hold the
competition's lock, and have settled that.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from itertools import count

from django.db.models import Max

from formats.advancement import list_arrivals
from formats.grouping import gather, join_queue
from tournaments.models import Competition, CompetitionStatus, Group, LogEntry, Seat, Stage
from tournaments.models.elo import START
from tournaments.office.services.log import log_action
from tournaments.records.coming_rounds import takes_entries
from tournaments.records.entrant_ratings import ratings_now
from tournaments.records.groups import groups_to_pair
from tournaments.records.levels import places_at, qualifiers_by_group, waiting_seats
from tournaments.rounds.services.competition_end import finish
from tournaments.rounds.services.group_draws import draw_group, store_gathered
from tournaments.rounds.services.seating import add_level
from tournaments.rounds.services.stage_ends import begin_groups
from tournaments.tables.services.standings import mark_groups_stale


def start_levels(*, competition: Competition, draw_seed: int, now: datetime) -> None:
    """Let everybody who has entered a competition that starts wait for a group, in the order of entry."""
    stage = competition.first_stage
    stage.draw_seed = draw_seed
    stage.save(update_fields=["draw_seed"])
    Seat.objects.filter(stage=stage).update(group=None, seed=None)
    move_levels_on(competition=competition, now=now)


def move_levels_on(*, competition: Competition, now: datetime) -> int:
    """Seat those who have come to a level, form the groups for which enough wait; return how much was done.

    A competition in which no more can come is finished. Again has no effect.
    """
    if competition.status != CompetitionStatus.RUNNING:
        return 0
    stages = list(competition.stages.order_by("number"))
    due = list(groups_to_pair().filter(stage__in=stages))
    for stage in list(stages):
        stage.competition = competition
        if ended := [group for group in due if group.stage_id == stage.pk]:
            stages += _seat_arrivals(stage, ended)
    Group.objects.filter(pk__in=[group.pk for group in due]).update(pairing_due_since=None)
    formed = _form_groups(competition, stages, now)
    if not formed:
        _finish_if_over(competition, stages, now)
    return len(due) + formed


def _seat_arrivals(stage: Stage, ended: Sequence[Group]) -> list[Stage]:
    """Seat those who go on from groups of a level at the next one; return that if nobody has come to it before."""
    going_on = qualifiers_by_group(stage, ended)
    arrivals = list_arrivals(
        (group.ended_at, group.number, going_on[group.pk]) for group in ended if group.ended_at is not None
    )
    following = stage.competition.stages.filter(number=stage.number + 1).first()
    known = set() if following is None else set(places_at(following))
    new = [entry for entry in arrivals if entry not in known]
    if not new:
        return []
    added = [] if following is not None else [add_level(stage=stage)]
    following = following or added[0]
    queue = list(Seat.objects.filter(stage=following, group=None).order_by("pk").values_list("entry", flat=True))
    Seat.objects.bulk_create([Seat(stage=following, entry_id=entry) for entry in new])
    # Who went on by a result that was corrected since may have come before others who wait.
    seats = list(Seat.objects.filter(stage=following, group=None).order_by("pk"))
    order_seats(seats=seats, entries=join_queue(queue, new, arrivals))
    return added


def order_seats(*, seats: Sequence[Seat], entries: Sequence[int]) -> None:
    """Let seats that wait for a group be those of these entries, in this order: who has the lowest id plays first."""
    changed = [seat for seat, entry in zip(seats, entries, strict=True) if seat.entry_id != entry]
    for seat, entry in zip(seats, entries, strict=True):
        seat.entry_id = entry
    Seat.objects.bulk_update(changed, ["entry"])


def _form_groups(competition: Competition, stages: Sequence[Stage], now: datetime) -> int:
    """Form and begin all groups for which enough wait at any level; return how many."""
    waiting: dict[int, list[Seat]] = defaultdict(list)
    for seat in waiting_seats(competition):
        waiting[seat.stage_id].append(seat)
    formed = 0
    for stage in stages:
        if groups := _form_at(stage, waiting[stage.pk], now):
            formed += len(groups)
            begin_groups(groups=groups, now=now)
    return formed


def _form_at(stage: Stage, waiting: Sequence[Seat], now: datetime) -> list[Group]:
    """Store the groups that those who wait at a level make, and return them; none has begun."""
    options = stage.grouping_options
    made = gather([seat.entry for seat in waiting], options.whenever or 0) if options is not None else ()
    if not made:
        return []
    known = ratings_now(stage.competition)
    begun = set(Group.objects.filter(stage=stage, started_at__isnull=False).values_list("number", flat=True))
    if not begun and stage.number > 1:
        log_action(competition=stage.competition, action="level-started", subject=str(stage.number), now=now)
    drawn = [
        draw_group(
            stage=stage,
            number=number,
            seeded=entries,
            ratings={entry.pk: known.get(entry.pk, START) for entry in entries},
            draw_seed=stage.draw_seed or 0,
            asked_byes={},
        )
        for number, entries in zip((each for each in count(1) if each not in begun), made, strict=False)
    ]
    groups = store_gathered(stage=stage, drawn=drawn, seats=waiting, now=now)
    mark_groups_stale(groups=Group.objects.filter(pk__in=[group.pk for group in groups]), now=now)
    return groups


def _finish_if_over(competition: Competition, stages: Sequence[Stage], now: datetime) -> None:
    """Finish a competition that nobody can join any more, and in which no group plays.

    It has ended with its last group, or with its entry.
    """
    begun = Group.objects.filter(stage__in=stages, started_at__isnull=False)
    if takes_entries(competition) or begun.filter(ended_at=None).exists():
        return
    last = begun.aggregate(last=Max("stage__number"))["last"]
    if last is not None:
        closed = LogEntry.objects.filter(competition=competition, action="closed").aggregate(at=Max("logged_at"))
        finish(last=next(stage for stage in stages if stage.number == last), now=now, at=closed["at"])
