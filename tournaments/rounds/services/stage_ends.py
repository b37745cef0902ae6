"""From the end of a group to that of its stage, to the next stage, and to the end of the competition.

Callers hold the competition's lock.
"""

import secrets
from collections.abc import Collection, Sequence
from datetime import datetime

from django.db.models import Max

from formats.grouping import MIN_SIZE
from formats.stage_plans import find_impossible_stage
from tournaments.models import Entry, Group, Round, Stage
from tournaments.models.elo import START
from tournaments.office.services.log import log_action
from tournaments.records.entrant_ratings import ratings_now
from tournaments.records.qualifiers import begin_after, play_offs_of, qualifiers_of
from tournaments.rounds.services.competition_end import finish
from tournaments.rounds.services.draws import MAX_DRAW_SEED
from tournaments.rounds.services.final_places import place_entrants
from tournaments.rounds.services.group_draws import draw_groups, split_seeded, store_groups
from tournaments.rounds.services.rounds import ask_for_pairing, groups_that_wait, move_rounds_on, start_groups
from tournaments.rounds.services.seating import add_level
from tournaments.rounds.services.ties import load_ties, play_ties
from tournaments.tables.services.standings import mark_groups_stale


def begin_groups(*, groups: Sequence[Group], now: datetime) -> None:
    """Start the drawn groups of a stage of a running competition."""
    start_groups(groups=groups, now=now)
    waiting = groups_that_wait(groups)
    for group in (each for each in groups if each.pk not in waiting):
        move_on(group=group, now=now)


def advance_group(*, group: Group, now: datetime, entry: Entry | None = None) -> None:
    """Move on what can move on in a running group: ties (only the entrant's, if one is given), rounds, the group.

    Again has no effect. The caller holds the competition's lock.
    """
    if group.stage.is_bracket:
        in_rounds = group.stage.round_days is not None
        play_ties(group=group, ties=load_ties(group=group, entry=entry, begun_only=in_rounds), now=now)
    move_on(group=group, now=now)


def move_on(*, group: Group, now: datetime) -> None:
    """End the rounds of a group that are over and begin what follows: rounds, the next stage, or the competition's end.

    Again has no effect.
    """
    if group.ended_at is None and move_rounds_on(group=group, now=now):
        _end_group(group, now)
        if group.stage.gathers:
            # Those who go on are chosen when all is settled that has ended before.
            ask_for_pairing(group, now)
        elif not Group.objects.filter(stage=group.stage, ended_at=None).exists():
            end_stage(stage=group.stage, now=now)


def _end_group(group: Group, now: datetime) -> None:
    last: datetime | None = Round.objects.filter(group=group).aggregate(last=Max("ended_at"))["last"]
    group.ended_at = last or now
    group.save(update_fields=["ended_at"])
    if group.stage.is_bracket:
        place_entrants(group_id=group.pk)


def end_stage(*, stage: Stage, now: datetime) -> None:
    """Let those who go on begin the next stage; where there is none, or nobody to meet, the competition is over.

    What is played in levels gets the next one as long as there is more than one who goes on. Where the next one begins
    on a day to come, that is noted. Where a stage ends once more after something in it was taken back, the next one
    that has been drawn stays.
    """
    competition = stage.competition
    following = competition.stages.filter(number=stage.number + 1).first()
    if following is None and not _has_next_level(stage):
        if stage.next_begins_at is not None:
            stage.next_begins_at = None
            stage.save(update_fields=["next_begins_at"])
        finish(last=stage, now=now)
        return
    if following is not None and Group.objects.filter(stage=following).exists():
        return
    begins_at = begin_after(stage, list(Group.objects.filter(stage=stage)))
    stage.next_begins_at = begins_at if begins_at is not None and begins_at > now else None
    stage.save(update_fields=["next_begins_at"])
    if stage.next_begins_at is not None:
        return
    following = following or add_level(stage=stage)
    following.competition = competition
    if following.draw_seed is None:
        following.draw_seed = secrets.randbelow(MAX_DRAW_SEED)
        following.save(update_fields=["draw_seed"])
    formed = _form_groups(stage, following)
    if not formed:
        # Players have withdrawn, so that fewer are left, or there is a single league, without play-offs.
        finish(last=stage, now=now)
        return
    begin_groups(groups=_draw(following, formed, now), now=now)


def begin_due_stage(*, stage: Stage, now: datetime) -> bool:
    """Begin the stage after one that has ended, if it is due, and return whether it was."""
    if stage.next_begins_at is None or stage.next_begins_at > now:
        return False
    end_stage(stage=stage, now=now)
    return True


def _has_next_level(stage: Stage) -> bool:
    """Return whether at least two go on from a stage to a next level of it."""
    if stage.max_levels is None or stage.is_last_level:
        return False
    return len(qualifiers_of(stage, draw_seed=stage.draw_seed or 0)) >= MIN_SIZE


def _form_groups(stage: Stage, following: Stage) -> Sequence[Sequence[Entry]]:
    """Return the groups in which those who go on play the next stage; none where they are too few."""
    if stage.play_offs is not None:
        play_offs = play_offs_of(stage)
        entries = _entries_by_id([key for met in play_offs for key in met])
        return [[entries[key] for key in met] for met in play_offs]
    keys = qualifiers_of(stage, draw_seed=following.draw_seed or 0)
    if find_impossible_stage([following], len(keys)) is not None:
        return []
    entries = _entries_by_id(keys)
    return split_seeded(following, [entries[key] for key in keys])


def _entries_by_id(keys: Collection[int]) -> dict[int, Entry]:
    return Entry.objects.select_related("player", "team").in_bulk(keys)


def _draw(stage: Stage, formed: Sequence[Sequence[Entry]], now: datetime) -> list[Group]:
    """Store the groups of a later stage, and return them."""
    known = ratings_now(stage.competition)
    ratings = {entry.pk: known.get(entry.pk, START) for entries in formed for entry in entries}
    drawn = draw_groups(stage=stage, groups=formed, ratings=ratings, draw_seed=stage.draw_seed or 0)
    groups = store_groups(stage=stage, drawn=drawn, now=now)
    action = "stage-started" if stage.max_levels is None else "level-started"
    log_action(competition=stage.competition, action=action, subject=str(stage.number), now=now)
    mark_groups_stale(groups=Group.objects.filter(stage=stage), now=now)
    return groups
