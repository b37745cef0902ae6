"""Log what has come about by results and dates, so that those whom it concerns hear of it.

Ties, groups and rounds hold of which decision, end and date this was done. So nobody hears twice of the same, and
everybody hears anew of what was decided anew.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q

from database.isolation import attempt_each
from formats.pairing.legs import Decider
from formats.protocol import Outcome
from tournaments.models import OF_TIES, Competition, Entry, Group, Round, Stage, Tie
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.office.stage_names import name_level, name_stages
from tournaments.records.brackets import IN_ORDER, drawn_ties, final_places_of
from tournaments.records.groups import standing_of
from tournaments.records.levels import qualifiers_by_group
from tournaments.rounds.sentences import name_rounds
from tournaments.rounds.services.cut_rounds import players_of_open_matches
from tournaments.rounds.services.round_codes import code_round
from tournaments.running.selectors.notifications import (
    competitions_with_news,
    decided_ties,
    ended_groups,
    rounds_near_end,
    rounds_overdue,
    seats_in,
)
from tournaments.tables.selectors.group_tables import entries_gone_on

LAST_OF_THE_FINAL = 2
"""Players who come to a place up to this one hear of it with the end of the competition."""


def log_news(*, now: datetime) -> int:
    """Log who is through or out, and which rounds end soon or should have ended; return of how many competitions.

    One that fails stops none of the others.
    """
    lead = timedelta(hours=settings.ROUND_REMINDER_HOURS)

    def log(competition_id: int) -> int:
        with transaction.atomic():
            competition = lock_competition(competition_id=competition_id)
            _log_ties(competition, now)
            _log_groups(competition, now)
            _log_rounds(competition, now, lead)
        return 1

    with_news = competitions_with_news(now=now, lead=lead)
    return sum(attempt_each(with_news, log, event="news_not_logged", key="competition_id"))


def _log_ties(competition: Competition, now: datetime) -> None:
    by_group: dict[Group, list[Tie]] = defaultdict(list)
    related = ("round__group__stage", *OF_TIES)
    ties = decided_ties().filter(round__group__stage__competition_id=competition.pk)
    for tie in ties.select_related(*related).order_by("round__group", *IN_ORDER):
        by_group[tie.round.group].append(tie)
    for group, decided in by_group.items():
        _log_ties_of(competition, group, decided, now)
    keys = [tie.pk for decided in by_group.values() for tie in decided]
    Tie.objects.filter(pk__in=keys).update(notified_of=F("decided_at"))


def _log_ties_of(competition: Competition, group: Group, decided: list[Tie], now: datetime) -> None:
    """Log who goes on within a bracket, and to which round, and who is out of the competition."""
    all_ties = list(Tie.objects.filter(round__group=group).select_related("round"))
    names = name_rounds(drawn_ties(all_ties))
    followed = {
        source: tie
        for tie in all_ties
        for source, takes in ((tie.first_from_id, tie.first_takes), (tie.second_from_id, tie.second_takes))
        if source is not None and takes == Outcome.WINNER and tie.decided_by != Decider.NOT_PLAYED
    }
    places = final_places_of(group.pk) if group.stage.advance is None and not group.stage.is_play_offs else {}
    through: dict[str, list[Entry]] = defaultdict(list)
    out: dict[int, list[Entry]] = defaultdict(list)
    for tie in decided:
        for entry in (tie.first, tie.second):
            if entry is None or not entry.is_in:
                continue
            place, following = places.get(entry.pk), followed.get(tie.pk)
            if place is not None:
                out[place].append(entry)
            elif tie.winner_id == entry.pk and following is not None:
                through[names[following.round.number, following.key.part]].append(entry)
    _log_through(competition, through, now)
    for place, entries in sorted(out.items()):
        if place > LAST_OF_THE_FINAL:
            log_action(competition=competition, action="out", subject=str(place), concerns=entries, now=now)


def _log_groups(competition: Competition, now: datetime) -> None:
    """Log who goes on to the next stage, and who does not, once that has begun and the tables are made."""
    stages = competition.all_stages
    names = name_stages(stages)
    for stage in stages:
        stage.competition = competition
    ended = list(ended_groups().filter(stage__in=stages).order_by("stage__number", "number"))
    for stage in stages:
        groups = [group for group in ended if group.stage_id == stage.pk]
        if stage.gathers:
            _log_levels(stage, groups, now)
            continue
        waiting = Group.objects.filter(Q(ended_at=None) | Q(standings_stale_since__isnull=False), stage=stage)
        if not groups or (stage.advance is not None and waiting.exists()):
            continue
        Group.objects.filter(pk__in=[group.pk for group in groups]).update(notified_of=F("ended_at"))
        if going_on := entries_gone_on(stage):
            for group in groups:
                group.stage = stage
                _log_group(group, going_on, names[stage.number + 1], now)


def _log_levels(stage: Stage, ended: Sequence[Group], now: datetime) -> None:
    """Log who goes on from each of these groups of a level, once those who do have their places."""
    groups = [each for each in ended if each.standings_stale_since is None and each.pairing_due_since is None]
    if not groups:
        return
    Group.objects.filter(pk__in=[group.pk for group in groups]).update(notified_of=F("ended_at"))
    if stage.max_levels is None or stage.is_last_level:
        return
    going_on = qualifiers_by_group(stage, groups)
    for group in groups:
        _log_group(group, going_on[group.pk], name_level(stage.number + 1), now)


def _log_group(group: Group, going_on: Collection[int], following: str, now: datetime) -> None:
    """Log who of a group goes on to the stage of this name, and who does not."""
    competition = group.stage.competition
    through: dict[str, list[Entry]] = defaultdict(list)
    out: dict[int | None, list[Entry]] = defaultdict(list)
    for seat in seats_in(group=group):
        if seat.entry_id in going_on:
            through[following].append(seat.entry)
        elif seat.entry.is_in and not group.stage.has_leagues:
            # Who does not play off is not out.
            # Of several groups each has a third: their place in the group is none in the competition.
            standing = standing_of(seat) if group.stage.grouping is None else None
            out[None if standing is None else standing.place].append(seat.entry)
    _log_through(competition, through, now)
    for place, entries in out.items():
        log_action(competition=competition, action="out", subject=str(place or ""), concerns=entries, now=now)


def _log_through(competition: Competition, through: dict[str, list[Entry]], now: datetime) -> None:
    for name, entries in through.items():
        log_action(competition=competition, action="through", subject=name, concerns=entries, now=now)


def _log_rounds(competition: Competition, now: datetime, lead: timedelta) -> None:
    own = {"group__stage__competition": competition.pk}
    for action, field, rounds in (
        ("round-ending", "reminded_of", rounds_near_end(now=now, lead=lead)),
        ("round-overdue", "overdue_of", rounds_overdue(now=now)),
    ):
        for round_ in rounds.filter(**own).select_related("group__stage"):
            players = players_of_open_matches(round_)
            if players and round_.ends_at is not None:
                log_action(
                    competition=competition,
                    action=action,
                    subject=code_round(round_.group, round_),
                    reason=round_.ends_at.isoformat(),
                    players=players,
                    now=now,
                )
            Round.objects.filter(pk=round_.pk).update(**{field: F("ends_at")})
