"""Draw the next round of a group whose rounds follow from the results of those before them.

A round of many players takes seconds to draw. So it is drawn by a task, from what is read without a lock; under the
lock it is published only if what was read still holds. ``Group.pairing_due_since`` says that a round is due: it is
set with the result that ended the round before and cleared with the publication, so that no round is lost when a worker
dies, and none is published twice. A change of a competition while one of its rounds is due draws this round first,
under the lock: a round follows from what was true when the one before it ended. Stages that begin on a day,
``Stage.next_begins_at``, are begun by the same sweep.
"""

from collections.abc import Sequence
from datetime import datetime
from itertools import islice

from django.db import transaction

from database.isolation import attempt_each
from formats.protocol import DrawnRound, Record
from tournaments.models import Competition, CompetitionStatus, Group
from tournaments.office.services.locks import lock_competition
from tournaments.records.group_records import read_record
from tournaments.records.groups import groups_to_pair
from tournaments.records.qualifiers import stages_due
from tournaments.rounds.services.levels import move_levels_on
from tournaments.rounds.services.proposed_rounds import ask_for_publication, lay_rounds
from tournaments.rounds.services.rounds import begin_round
from tournaments.rounds.services.stage_ends import begin_due_stage, move_on
from tournaments.running.services.overdue import settle_overdue
from tournaments.tables.services.standings import mark_standings_stale

BATCH = 50
MAX_ATTEMPTS = 3
"""The most attempts to draw a round at once, if something has changed meanwhile; the sweep tries again later."""


def pair_round(*, group_id: int, now: datetime) -> bool:
    """Publish the next round of a group if one is due, and begin it; return whether this call did it.

    If nothing more is to be played, the group ends, and what follows from that begins.
    """
    return any(_pair_round(group_id, now) for _attempt in range(MAX_ATTEMPTS))


def pair_due_rounds(*, now: datetime, limit: int = BATCH) -> int:
    """Publish up to ``limit`` rounds that are due, those longest due first; return how many this call published.

    As many stages that are due are begun, and count too. One that fails stops none of the others.
    """
    begun = _begin_due_stages(now, limit)
    due = groups_to_pair().order_by("pairing_due_since", "pk").values_list("pk", flat=True)
    published = attempt_each(
        list(due), lambda group_id: pair_round(group_id=group_id, now=now), event="round_not_paired", key="group_id"
    )
    return begun + sum(islice(published, limit))


def pair_rounds_of(*, competition: Competition, now: datetime) -> int:
    """Draw and publish all rounds of a competition that are due; return of how many groups, and a stage that begins.

    Where groups form one by one, those form that can. One that fails is logged, and stops nothing. The caller holds the
    competition's lock.
    """
    if competition.first_stage.gathers:
        return move_levels_on(competition=competition, now=now)

    def pair(group: Group) -> int:
        with transaction.atomic():
            _publish(group, _draw(group, read_record(group)), now)
        return 1

    begun = _begin_due_stage(competition, now)
    due = groups_to_pair().select_related("stage__competition").filter(stage__competition=competition.pk)
    return begun + sum(attempt_each(due, pair, event="round_not_paired", key="group_id"))


def _begin_due_stages(now: datetime, limit: int) -> int:
    """Begin the stages that are due, each in a transaction of its own, and return how many."""

    def begin(competition_id: int) -> int:
        with transaction.atomic():
            return _begin_due_stage(lock_competition(competition_id=competition_id), now)

    due = list(stages_due(now).order_by("next_begins_at", "pk").values_list("competition", flat=True))
    return sum(islice(attempt_each(due, begin, event="stage_not_begun", key="competition_id"), limit))


def _begin_due_stage(competition: Competition, now: datetime) -> int:
    """Begin the stage of a competition that is due, if there is one. The caller holds the competition's lock."""
    stage = stages_due(now).filter(competition=competition.pk).first()
    if stage is None:
        return 0
    stage.competition = competition
    return int(begin_due_stage(stage=stage, now=now))


def _pair_round(group_id: int, now: datetime) -> bool:
    group = _find_due(group_id)
    if group is None:
        return False
    if group.stage.gathers:
        return _gather(group, now)
    record = read_record(group)
    drawn = _draw(group, record)
    with transaction.atomic():
        lock_competition(competition_id=group.stage.competition_id)
        group = _find_due(group_id)
        return group is not None and read_record(group) == record and _publish(group, drawn, now)


def _gather(group: Group, now: datetime) -> bool:
    """Let those take their places who go on from a group, in the order in which groups have ended."""
    with transaction.atomic():
        competition = lock_competition(competition_id=group.stage.competition_id)
        if competition.status != CompetitionStatus.RUNNING:
            return False
        settle_overdue(competition=competition, now=now)
        return bool(move_levels_on(competition=competition, now=now))


def _draw(group: Group, record: Record[int]) -> tuple[DrawnRound[int], ...]:
    stage = group.stage
    return stage.format_spec.next_rounds(record, stage.chosen_options, stage.draw_seed or 0)


def _publish(group: Group, drawn: Sequence[DrawnRound[int]], now: datetime) -> bool:
    """Store the rounds of a group, begin the first, and return whether there was one. The caller holds the lock.

    Where organisers publish rounds, it waits for them.
    """
    Group.objects.filter(pk=group.pk).update(pairing_due_since=None)
    rounds = lay_rounds(stage=group.stage, drawn={group.pk: drawn}, now=now)
    if ask_for_publication(group=group, now=now):
        return True
    if rounds:
        begin_round(group=group, round=rounds[0], now=now)
    mark_standings_stale(group_id=group.pk, now=now)
    move_on(group=group, now=now)
    return bool(rounds)


def _find_due(group_id: int) -> Group | None:
    """Return the group with its stage and competition, if a round of it is due."""
    return groups_to_pair().select_related("stage__competition").filter(pk=group_id).first()
