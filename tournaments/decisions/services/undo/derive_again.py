"""Let everything follow from what counts after something was taken back. Callers hold the competition's lock."""

from collections.abc import Iterable, Iterator
from copy import copy
from datetime import datetime
from itertools import pairwise

from django.db.models import Max, Min
from django.utils.translation import gettext as _

from formats.protocol import Order
from tournaments.decisions.services.undo.changes import RELATED, Changes
from tournaments.decisions.services.undo.levels import take_back_places
from tournaments.decisions.services.undo.results import annul
from tournaments.decisions.services.undo.rounds import let_group_go_on, let_rounds_wait
from tournaments.models import Competition, CompetitionStatus, Fixture, Group, Round, Seat, Stage, Tie
from tournaments.office.services.after_commit import notify_pairing
from tournaments.records.cups import deciding_stage
from tournaments.records.derived_ties import DerivedTie, derive_ties
from tournaments.records.group_records import read_record
from tournaments.records.groups import groups_of
from tournaments.records.qualifiers import players_of, qualifiers_of
from tournaments.rounds.selectors import proposed_rounds_of
from tournaments.rounds.services.bracket_repair import repair_bracket
from tournaments.rounds.services.fixtures import OPEN
from tournaments.rounds.services.rounds import MAX_ROWS, date_end_again
from tournaments.rounds.services.set_aside import put_away, set_aside
from tournaments.rounds.services.stage_ends import move_on
from tournaments.running.services.advance import advance
from tournaments.running.services.departure import note_waiting
from tournaments.running.services.ladder_room import bring_back
from tournaments.running.services.settlement import settle_competition
from tournaments.tables.services.challenge_results import replay_challenges
from tournaments.tables.services.standings import mark_all_standings_stale, recompute_standings
from tournaments.tables.services.winners import store_title


def take_back_stages(*, competition: Competition, changes: Changes, now: datetime) -> None:
    """Take back the first later stage whose players are not those who go on to it now, and all stages after it.

    It is formed and drawn anew as soon as the stage before has ended. Its matches count nowhere; their fixtures stay,
    outside of rounds.
    """
    stages = list(competition.stages.order_by("number"))
    for before, after in pairwise(stages):
        before.competition = after.competition = competition
        players = players_of(after)
        if players and players != qualifiers_of(before, draw_seed=after.draw_seed or 0):
            _take_back(competition, after, changes, now)
            # They end again at once if nothing is open in them, and then who goes on is drawn.
            for group in Group.objects.filter(stage=before, ended_at__isnull=False).select_related("stage"):
                let_group_go_on(competition=competition, group=group)
            return


def _take_back(competition: Competition, first: Stage, changes: Changes, now: datetime) -> None:
    groups = Group.objects.filter(stage__competition=competition.pk, stage__number__gte=first.number)
    counting = Fixture.objects.filter(group__in=groups, is_annulled=False).select_related(*RELATED).order_by("pk")
    annulled = annul(competition=competition, fixtures=list(counting), now=now)
    changes.lost += annulled.lost
    changes.withdrawn += annulled.withdrawn
    put_away(competition=competition, fixtures=Fixture.objects.filter(group__in=groups), now=now)
    Round.objects.filter(group__in=groups).delete()
    Seat.objects.filter(stage__competition=competition.pk, stage__number__gte=first.number).delete()
    groups.delete()
    if first.max_levels is not None:
        Stage.objects.filter(competition=competition, number__gte=first.number).delete()
    changes.stages.append(first.number)


def _say_stages(competition: Competition, numbers: Iterable[int], now: datetime) -> Iterator[str]:
    """Yield what becomes of stages that are taken back: matches that had been played there before may be back."""
    for number in numbers:
        of_stage = Fixture.objects.filter(group__stage__competition=competition.pk, group__stage__number=number)
        sentence = _("Stage %(number)d is taken back. It is drawn anew.")
        if of_stage.filter(is_annulled=False, match__created_at__lt=now).exists():
            sentence = _("Stage %(number)d is taken back. It is again as it was drawn before.")
        yield sentence % {"number": number}


def let_follow(*, competition: Competition, changes: Changes, now: datetime) -> None:
    """Let ties, tables, positions, rounds, stages and the end of a competition follow from what counts now."""
    if competition.started_at is None:
        return
    mark_all_standings_stale(competition_id=competition.pk, now=now)
    if competition.is_endless:
        if competition.first_stage.format_spec.order is Order.POSITIONS:
            replay_challenges(ladder_id=competition.pk)
        note_waiting(ladder=competition)
        if competition.status == CompetitionStatus.RUNNING:
            bring_back(competition=competition, now=now)
            notify_pairing(ladder_id=competition.pk)
        return
    Group.objects.filter(stage__competition_id=competition.pk).update(pairing_due_since=None)
    _take_back_proposed(competition, changes)
    groups = groups_of(competition)
    for group in groups:
        if group.started_at is not None and group.ended_at is not None and _is_open(group, now):
            let_group_go_on(competition=competition, group=group)
    leading_on = [each for each in groups if each.stage.advance is not None]
    _repair(leading_on, now)
    _date_ends(leading_on)
    if competition.first_stage.gathers:
        _end_groups(competition, now)
        take_back_places(competition=competition, changes=changes, now=now)
    else:
        take_back_stages(competition=competition, changes=changes, now=now)
    _repair([each for each in groups_of(competition) if each.stage.advance is None], now)
    advance(competition_id=competition.pk, now=now)
    # What was taken up may be over by what holds now, and what follows from that, too.
    while settle_competition(competition=competition, until=now, now=now):
        pass
    competition.refresh_from_db()
    changes.more += _say_stages(competition, changes.stages, now)
    _date_again(competition)
    if competition.status == CompetitionStatus.FINISHED:
        _rank_last_stage(competition, now)


def _repair(groups: Iterable[Group], now: datetime) -> None:
    """Let brackets follow from what counts, and rounds wait again for earlier ones that go on."""
    for group in (each for each in groups if each.started_at is not None):
        if group.stage.is_bracket:
            _annul_strays(group, now)
            is_other = repair_bracket(group=group, now=now)
            if is_other and group.stage.round_days is not None:
                # Since when its ties could be played says what had begun before somebody left.
                _date_ends([group])
                _date_beginnings(group)
                repair_bracket(group=group, now=now)
        if let_rounds_wait(group=group, now=now) and group.stage.is_bracket:
            # What was decided without play when a round began is open again.
            repair_bracket(group=group, now=now)


def _date_ends(groups: Iterable[Group]) -> None:
    """Let what has ended have ended with what counts now.

    Who goes on to the next stage depends on it: those who had left by then do not.
    """
    for group in (each for each in groups if each.started_at is not None):
        if group.stage.is_bracket:
            _date_ties(group)
        date_end_again(group=group)


def _date_again(competition: Competition) -> None:
    """Let rounds, groups and the competition have begun and ended with what counts now, not when that was noted."""
    groups = groups_of(competition)
    _date_ends(groups)
    for group in (each for each in groups if each.started_at is not None):
        _date_beginnings(group)
    if competition.status != CompetitionStatus.FINISHED or competition.first_stage.gathers:
        return
    ended = Group.objects.filter(stage__competition=competition.pk, ended_at__isnull=False)
    competition.finished_at = ended.aggregate(last=Max("ended_at"))["last"]
    competition.save(update_fields=["finished_at"])
    store_title(competition=competition)


def _date_beginnings(group: Group) -> None:
    """Let what came back have begun with the first of its matches, not when it was drawn again.

    Of rounds that follow each other, a later one begins with the end of the one before.
    """
    stage = group.stage
    follows = stage.round_days is not None and not stage.abilities.pairs_by_results
    begun = Fixture.objects.filter(group=group, is_annulled=False, match__isnull=False, round__isnull=False).order_by()
    first: dict[int, datetime] = dict(begun.values_list("round").annotate(Min("match__created_at")))
    rounds = list(Round.objects.filter(group=group).order_by("number"))
    ends: list[datetime] = []
    for each in rounds:
        if each.started_at is None:
            continue
        if follows and ends:
            each.started_at = max(ends)
        elif each.number == 1 or stage.is_bracket:
            each.started_at = min(each.started_at, first.get(each.pk, each.started_at))
        if each.ended_at is not None:
            each.started_at = min(each.started_at, each.ended_at)
            ends.append(each.ended_at)
    Round.objects.bulk_update(rounds, ["started_at"], batch_size=MAX_ROWS)
    moments = [group.started_at, group.ended_at, *(each.started_at for each in rounds)]
    group.started_at = min(each for each in moments if each is not None)
    group.save(update_fields=["started_at"])


def _date_ties(group: Group) -> None:
    """Let ties have been decided when and as their results did, though others that count no more did it, too."""
    ties = []
    for row in derive_ties(group):
        tie = row.tie
        is_same = row.winner == tie.winner_id and None not in {row.decided_at, tie.decided_at}
        if is_same and (row.decided_at, row.decided_by) != (tie.decided_at, tie.decided_by):
            tie.decided_at, tie.decided_by = row.decided_at, row.decided_by
            ties.append(tie)
    Tie.objects.bulk_update(ties, ["decided_at", "decided_by"])


def _rank_last_stage(competition: Competition, now: datetime) -> None:
    """Let the tables of the stage that gives the winner follow from what counts, and the winner with them."""
    played = [group for group in groups_of(competition) if group.started_at is not None]
    deciding = deciding_stage(played[-1].stage)
    for group in (each for each in played if each.stage_id == deciding.pk):
        recompute_standings(group_id=group.pk, now=now)


def _end_groups(competition: Competition, now: datetime) -> None:
    """End the groups in which nothing is open any more, so that those are known who come from them."""
    for group in groups_of(competition):
        if group.started_at is not None and group.ended_at is None:
            move_on(group=group, now=now)


def _take_back_proposed(competition: Competition, changes: Changes) -> None:
    """Let rounds that nobody has published yet be drawn anew where something in their groups counts otherwise now."""
    touched = (*changes.reopened, *changes.counted, *changes.lost, *changes.withdrawn, *changes.meant)
    groups = {each.group_id for each in touched}
    for proposed in proposed_rounds_of(competition):
        if proposed.group_id in groups:
            proposed.delete()
            changes.more.append(
                _("Round %(number)d is drawn again. It was not published.") % {"number": proposed.number}
            )


def _is_open(group: Group, now: datetime) -> bool:
    """Return whether something is to be played in a group, by what counts now."""
    if group.stage.is_bracket:
        return any(row.decided_at is None for row in _annul_strays(group, now))
    if Fixture.objects.filter(OPEN, group=group, round__isnull=False).exists():
        return True
    stage = group.stage
    return stage.abilities.pairs_by_results and not stage.format_spec.is_over(read_record(group), stage.chosen_options)


def _annul_strays(group: Group, now: datetime) -> list[DerivedTie]:
    """Annul what was played between entrants who should not have met, round by round; return the ties as derived then.

    They are derived as if the group went on: whether it does is asked by this.
    """
    going_on = copy(group)
    going_on.stage = copy(group.stage)
    going_on.stage.competition = copy(group.stage.competition)
    going_on.ended_at, going_on.stage.competition.status = None, CompetitionStatus.RUNNING
    while True:
        derived = derive_ties(going_on)
        strays = Fixture.objects.filter(tie__in=[row.tie.pk for row in derived if row.is_left], is_annulled=False)
        if not set_aside(fixtures=strays, now=now):
            return derived
